"""Memories: remembering, recalling, and what is done with them."""
