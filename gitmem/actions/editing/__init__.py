"""Changing a document by hand."""
