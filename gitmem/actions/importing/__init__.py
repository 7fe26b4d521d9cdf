"""From what assistants keep of conversations to sessions of this repository."""
