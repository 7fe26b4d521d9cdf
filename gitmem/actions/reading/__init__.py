"""Finding, naming and telling what is in the memory."""
