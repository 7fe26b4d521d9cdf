"""A session: what one conversation did, decided and left."""
