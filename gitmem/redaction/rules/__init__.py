"""Shapes of secrets: tables of rules."""
