"""Checkpoints: whose they are, what git and hooks know, and the way to a commit."""
