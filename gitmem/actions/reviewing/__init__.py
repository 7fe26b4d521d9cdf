"""The story of a branch, for whoever reviews it."""
