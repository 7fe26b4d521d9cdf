"""What a new conversation is given of earlier ones."""
