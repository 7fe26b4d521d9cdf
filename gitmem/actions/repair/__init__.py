"""What `ocm doctor --fix` does: a module for each thing that can be mended."""
