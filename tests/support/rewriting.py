"""Rewrites of all refs by other programs, as `git filter-repo` does them."""

import re
import subprocess
from pathlib import Path

from support.harness import git

SECRET, REMOVED = "open-sesame-7", "***REMOVED***"
"""Of one length, so that texts in a stream of fast-export keep theirs."""


def prune(repository: Path) -> None:
    """Drop all reflogs, and the objects that no ref leads to."""
    git(repository, "reflog", "expire", "--expire=now", "--all")
    git(repository, "gc", "--quiet", "--prune=now")


def rewrite(repository: Path, pattern: str, replacement: str) -> None:
    """Replace text in the stream that git exports and imports, and prune."""
    export = ["git", "fast-export", "--all", "--show-original-ids"]
    stream = subprocess.check_output([*export], cwd=repository)
    new = re.sub(pattern.encode(), replacement.encode(), stream, flags=re.MULTILINE)
    load = ["git", "fast-import", "--force", "--quiet"]
    subprocess.run(load, input=new, cwd=repository, check=True)
    prune(repository)


def replace_secret(repository: Path) -> None:
    rewrite(repository, SECRET, REMOVED)


def move_below(repository: Path, folder: str) -> None:
    rewrite(repository, r"^(M \d+ \S+|D) (?!file)", rf"\1 {folder}/")
