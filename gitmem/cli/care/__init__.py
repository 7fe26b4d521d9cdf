"""Commands that set gitmem up and look after it."""
