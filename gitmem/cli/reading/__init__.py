"""Commands that show what is kept."""
