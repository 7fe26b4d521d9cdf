"""The memory and a remote: how it is reached, and what becomes of both sides' texts."""
