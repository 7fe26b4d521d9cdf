"""Looking through what is stored, for what would be redacted today."""
