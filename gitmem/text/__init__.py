"""Small pure helpers on text and time. They know no document."""
