"""The commits of a range with their messages, and the lines that commits add."""

import codecs
import os
import re
from collections import deque
from collections.abc import Iterator
from itertools import islice

from gitmem.git.plumbing.process import text
from gitmem.git.plumbing.work_tree import WorkTree
from gitmem.git.values import Lines, Oid, RangeCommit, is_oid

MOST_COMMITS = 1000
"""Most commits of a range that are read, the newest ones."""
_LOG = (
    *("log", "--no-merges", "--topo-order", f"--max-count={MOST_COMMITS}", "-z"),
    *("--no-show-signature", "--no-notes", "--no-color", "--format=%H%x00%B%x00"),
    *("--numstat", "--no-renames", "--no-ext-diff", "--no-textconv"),
)
_PATCH = (
    *("diff-tree", "--root", "--no-commit-id", "-p", "-U0", "--no-renames"),
    *("--no-ext-diff", "--no-textconv", "--no-color", "--dst-prefix=b/"),
)
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_NUMBERS = re.compile(rb"\n?(\d+|-)\t(?:\d+|-)\t(.+)", re.DOTALL)


def commits_in_range(git: WorkTree, base: Oid, head: Oid) -> list[RangeCommit]:
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


def added_lines(git: WorkTree, commit: Oid) -> dict[str, list[Lines]]:
    """Return the lines that a commit adds, by path; none for a merge."""
    added: dict[str, list[Lines]] = {}
    path = ""
    with git.translated(commit):
        lines = iter(git.output(*_PATCH, commit).split(b"\n"))
        for line in lines:
            if line.startswith(b"+++ "):
                path = _path(line[len("+++ ") :])
            elif hunk := _HUNK.match(line):
                removed, first, count = (int(number or 1) for number in hunk.groups())
                deque(islice(lines, removed + count), maxlen=0)  # any text
                if count:
                    last = first + count - 1
                    added.setdefault(path, []).append(Lines(first, last))
    return added


def _path(name: bytes) -> str:
    """Return the path in a line of a patch, where git quotes unusual ones."""
    name = name.rstrip(b"\t")  # git marks the end of one with a blank
    if name.startswith(b'"'):
        name, _ = codecs.escape_decode(name[1:-1])
    return os.fsdecode(name.removeprefix(b"b/"))
