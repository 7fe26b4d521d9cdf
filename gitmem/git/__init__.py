"""Git, as little of it as gitmem needs, behind a Protocol in its own words."""
