"""Packs: how one is written, which are ours, when they are made, what is in any."""
