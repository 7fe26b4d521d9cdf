"""What assistants and git run when something happens: in milliseconds, or unseen."""
