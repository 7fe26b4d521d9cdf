"""Commands that share memory, and that forget or restore it."""
