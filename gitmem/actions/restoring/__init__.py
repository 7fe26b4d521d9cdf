"""Sessions brought back that the memory had and lacks."""
