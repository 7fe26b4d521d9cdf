"""Memories: single statements that are worth keeping."""
