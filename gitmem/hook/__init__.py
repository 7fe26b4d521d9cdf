"""The entry of hooks of assistants and of git."""
