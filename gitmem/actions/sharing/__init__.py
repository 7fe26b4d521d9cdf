"""Sync the memory with the one remote that the user chose."""
