"""Scan what is stored for secrets, and redact it."""
