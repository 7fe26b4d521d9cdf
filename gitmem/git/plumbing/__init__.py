"""The repository through the git command: slower, and there is none it cannot open."""
