"""Objects: written, backed up, packed, and found missing."""
