"""Sessions that the user wants out of the memory, and kept out."""
