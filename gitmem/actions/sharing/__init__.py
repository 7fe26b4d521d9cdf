"""Memory that travels: to the one remote that the user chose, and back."""
