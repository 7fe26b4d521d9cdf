"""What `ocm doctor` looks at."""
