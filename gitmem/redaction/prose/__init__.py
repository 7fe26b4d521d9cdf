"""Secrets that words announce: labels, what stands around them, and their values."""
