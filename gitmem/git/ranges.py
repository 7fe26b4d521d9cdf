"""The commits of a range, with their messages and the lines that they add."""

import os
import re
from collections.abc import Iterator

from gitmem.git.plumbing.process import text
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, RangeCommit, is_oid

MOST_COMMITS = 1000
"""Most commits of a range that are read, the newest ones."""
_LOG = (
    *("log", "--no-merges", "--topo-order", f"--max-count={MOST_COMMITS}", "-z"),
    *("--no-show-signature", "--no-notes", "--no-color", "--format=%H%x00%B%x00"),
    *("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"),
)
_NUMBERS = re.compile(rb"\n?(\d+|-)\t(?:\d+|-)\t(.+)", re.DOTALL)


def commits_in_range(git: Repository, base: Oid, head: Oid) -> list[RangeCommit]:
    """Return the commits of `git log --no-merges BASE..HEAD`, newest first."""
    with git.translated("the commits of the range"):
        fields = iter(git.output(*_LOG, head, f"^{base}", "--").split(b"\0"))
        return [*_commits(fields)]


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
