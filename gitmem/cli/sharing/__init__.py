"""Commands that share, forget and restore."""
