"""Redaction: all text passes it before it is stored, and secrets are replaced."""
