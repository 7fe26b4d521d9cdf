"""Links between the user's commits and sessions."""
