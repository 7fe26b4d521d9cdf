"""Text put into files of the user, and taken out again, and nothing else changed."""
