"""What the trees of our refs hold, and one more commit on them."""
