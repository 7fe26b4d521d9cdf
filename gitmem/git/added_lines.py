"""The lines that a patch adds, with their numbers in the new file."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gitmem.git.plumbing.process import COMMIT_DIFF, LARGE_AS_BINARY, text
from gitmem.git.repository import Repository
from gitmem.git.values import COMMIT_LENGTH, CommitPatch, Oid

AddedLines = list[list[tuple[int, str]]]
"""Numbers and texts of lines, those that follow each other together."""

_MOST_RANGES = 50
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_COMMIT = re.compile(r"^([0-9a-f]{40,64})$", re.MULTILINE)
_FILE = re.compile(r"^diff --git ", re.MULTILINE)
_PATH = re.compile(r"^\+\+\+ b/([^\n\t]*)", re.MULTILINE)
_PATCH = (
    *("-c", "core.quotePath=false", *LARGE_AS_BINARY, *COMMIT_DIFF),
    *("--stdin", "-p", "-U0", "--src-prefix=a/", "--dst-prefix=b/"),
)
_AT_ONCE = 50
"""Commits whose patches are in memory at once."""


def lines_added_by(git: Repository, commit: Oid) -> dict[str, AddedLines]:
    """Return the lines that a commit adds, by path; nothing for a merge."""
    return dict(lines_by_commit(git, [commit])).get(commit, {})


def lines_by_commit(
    git: Repository, commits: Sequence[Oid]
) -> Iterator[tuple[Oid, dict[str, AddedLines]]]:
    """Yield commits with the lines that each adds, by path; no merge."""
    for first in range(0, len(commits), _AT_ONCE):
        names = "".join(f"{name}\n" for name in commits[first : first + _AT_ONCE])
        with git.translated("a commit"):
            patches = _COMMIT.split(text(git.output(*_PATCH, stdin=names.encode())))
        for name, patch in zip(patches[1::2], patches[2::2], strict=True):
            files = ((_PATH.search(file), file) for file in _FILE.split(patch))
            yield name, {path[1]: added_lines(file) for path, file in files if path}


def with_added_lines(
    git: Repository, patches: Mapping[Oid, CommitPatch]
) -> tuple[CommitPatch, ...]:
    """Return patches of commits with the lines that they add to each file."""
    added = lines_by_commit(git, [*patches])
    with_lines = {
        name: _with_lines(git, name, patches[name], lines) for name, lines in added
    }
    return tuple(with_lines.get(name, patch) for name, patch in patches.items())


def _with_lines(
    git: Repository, commit: Oid, patch: CommitPatch, added: dict[str, AddedLines]
) -> CommitPatch:
    lines = {
        blob[:COMMIT_LENGTH]: {number for hunk in added[path] for number, _ in hunk}
        for path, blob in git.blobs(commit, added).items()
    }
    return replace(
        patch,
        blobs=tuple(
            f"{blob}:{ranges_in(lines[blob])}" if blob in lines else blob
            for blob in patch.blobs
        ),
    )


def ranges_in(numbers: Iterable[int]) -> str:
    """Write numbers as a session's document has them: `3-17,20-20`."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    parts = (f"{first}-{last}" for first, last in ranges[:_MOST_RANGES])
    return ",".join(parts) or "0-0"


def added_lines(patch: str) -> AddedLines:
    """Return the lines that the patch of one file adds."""
    return [*filter(None, _hunks(patch.split("\n")))]


def _hunks(lines: list[str]) -> Iterator[list[tuple[int, str]]]:
    hunk: list[tuple[int, str]] = []
    old, new, number = 0, 0, 0
    for line in lines:
        if not (old or new):
            yield hunk
            hunk = []
            header = _HUNK.match(line)
            if header:
                old, number, new = (
                    int(header[1] or 1),
                    int(header[2]),
                    int(header[3] or 1),
                )
        elif line.startswith("+"):
            hunk.append((number, line[1:]))
            number, new = number + 1, new - 1
        elif line.startswith("-"):
            old -= 1
        elif line.startswith(" "):
            number, old, new = number + 1, old - 1, new - 1
    yield hunk
