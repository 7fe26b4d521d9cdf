"""Going on with a session, in its own client or with another assistant."""
