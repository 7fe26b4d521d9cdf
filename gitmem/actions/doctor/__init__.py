"""Checks and repairs of `ocm doctor`."""
