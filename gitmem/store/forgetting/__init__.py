"""Sessions taken out: of the memory, of its history, and of what repeats them."""
