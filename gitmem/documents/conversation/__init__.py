"""A conversation: what both sides said, for search."""
