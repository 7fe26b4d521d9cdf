"""Copies of the whole memory, and what comes back from them."""
