"""The repository through libgit2: fast, in process, no `git` needed."""
