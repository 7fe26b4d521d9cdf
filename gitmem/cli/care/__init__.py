"""Commands that set up and check gitmem."""
