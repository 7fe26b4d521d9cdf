"""From the user's commits to sessions, and back."""
