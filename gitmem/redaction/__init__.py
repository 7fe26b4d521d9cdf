"""The gate that all text passes before it is stored, and where secrets are replaced."""
