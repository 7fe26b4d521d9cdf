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
    """Replace text in the stream that git exports and imports, and prune.

    As `git filter-repo` does, it notes which commit each one became.
    """
    marks = repository.parent / "exported", repository.parent / "imported"
    export = ["git", "fast-export", "--all", f"--export-marks={marks[0]}"]
    stream = subprocess.check_output(export, cwd=repository)
    new = re.sub(pattern.encode(), replacement.encode(), stream, flags=re.MULTILINE)
    load = ["git", "fast-import", "--force", "--quiet", f"--export-marks={marks[1]}"]
    subprocess.run(load, input=new, cwd=repository, check=True)
    _note_names(repository, *map(_oids, marks))
    prune(repository)


def _oids(marks: Path) -> dict[str, str]:
    return dict(line.split() for line in marks.read_text().splitlines())


def _note_names(
    repository: Path, exported: dict[str, str], imported: dict[str, str]
) -> None:
    """Write the file of `git filter-repo`, which goes on from an earlier one."""
    names = {old: imported[mark] for mark, old in exported.items() if mark in imported}
    file = repository / ".git/filter-repo/commit-map"
    if file.exists():
        earlier = dict(line.split() for line in file.read_text().splitlines()[1:])
        known = {old: names.get(new, new) for old, new in earlier.items()}
        names = {o: n for o, n in names.items() if o not in earlier.values()} | known
    file.parent.mkdir(exist_ok=True)
    lines = [f"{old:40} {new}" for old, new in [("old", "new"), *names.items()]]
    file.write_text("\n".join(lines) + "\n")


def replace_secret(repository: Path) -> None:
    rewrite(repository, SECRET, REMOVED)


def move_below(repository: Path, folder: str) -> None:
    rewrite(repository, r"^(M \d+ \S+|D) (?!file)", rf"\1 {folder}/")
