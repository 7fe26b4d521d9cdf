"""Codex: its rollouts."""
