"""gitmem: the memory of coding sessions, kept in the user's own git repository."""

__version__ = "0.1.0"
