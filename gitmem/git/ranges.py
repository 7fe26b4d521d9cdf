"""The commits of a range, with their messages and the lines that they add."""

import os
import re
from collections.abc import Iterator

from gitmem.git.plumbing.process import PLAIN_DIFF, text
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, RangeCommit, is_oid

MOST_COMMITS = 1000
"""Most commits of a range that are read, the newest ones."""
_LOG = (
    *("log", "--no-merges", "--topo-order", f"--max-count={MOST_COMMITS}", "-z"),
    *("--no-show-signature", "--no-notes", "--format=%H%x00%B%x00"),
    *("--numstat", *PLAIN_DIFF),
)
_REMOVALS = (
    *("log", "--no-merges", "--topo-order", "--no-show-signature", "--no-notes"),
    *(f"--max-count={MOST_COMMITS}", "--format=>%H", "-p", "-U0"),
    *(*PLAIN_DIFF, "--output-indicator-old=<"),
)
_LOCAL, _AT_REMOTES = "refs/heads/", "refs/remotes/"
_BRANCHES = ("for-each-ref", "--format=%(refname)", _LOCAL, _AT_REMOTES)
_NUMBERS = re.compile(rb"\n?(\d+|-)\t(?:\d+|-)\t(.+)", re.DOTALL)


def commits_in_range(
    git: Repository, base: Oid | None, head: Oid, folder: str = ""
) -> list[RangeCommit]:
    """Return the commits of `git log --no-merges BASE..HEAD FOLDER`, newest first.

    Without `base` they go back to the first commit.
    """
    revisions = [head, f"^{base}"] if base else [head]
    paths = [folder] if folder else []
    with git.translated("the commits of the range"):
        fields = iter(git.output(*_LOG, *revisions, "--", *paths).split(b"\0"))
        return [*_commits(fields)]


def branches_at(git: Repository, commit: Oid) -> set[str]:
    """Return the names of branches, here or at a remote, whose tip is this commit."""
    with git.translated("the branches"):
        refs = text(git.output(*_BRANCHES, f"--points-at={commit}")).splitlines()
    return {ref.split("/", 2 if ref.startswith(_LOCAL) else 3)[-1] for ref in refs}


def removed_lines(git: Repository, since: Oid, path: str) -> Iterator[tuple[Oid, str]]:
    """Yield each line that commits after one removed from a file, the newest first.

    A line comes without its indentation.
    """
    commit = ""
    with git.translated("the commits of a file"):
        for row in git.lines(*_REMOVALS, f"{since}..HEAD", "--", path):
            if row.startswith(b">"):
                commit = text(row[1:].rstrip())
            elif row.startswith(b"<"):
                yield commit, text(row[1:]).strip()


def _commits(fields: Iterator[bytes]) -> Iterator[RangeCommit]:
    """Read name and message of each commit, then a field for each of its files."""
    name, message, files = "", "", dict[str, int]()
    for field in fields:
        if numbers := _NUMBERS.fullmatch(field):
            insertions, path = numbers.groups()
            files[os.fsdecode(path)] = int(insertions) if insertions != b"-" else 0
        elif is_oid(next_name := text(field)):
            if name:
                yield RangeCommit(name, message, files)
            name, message, files = next_name, text(next(fields)), {}
    if name:
        yield RangeCommit(name, message, files)
