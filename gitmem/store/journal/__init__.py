"""The journal: acknowledged changes, before they are in a commit."""
