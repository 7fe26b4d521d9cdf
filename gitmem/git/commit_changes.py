"""What commits change: `git patch-id`, the blobs after them, the lines they add.

That stays the same when the commits get other names.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gitmem.git.command import RefusedError
from gitmem.git.files import read_text
from gitmem.git.plumbing.process import COMMIT_DIFF, LARGE_AS_BINARY, text
from gitmem.git.repository import Repository
from gitmem.git.values import COMMIT_LENGTH, CommitPatch, Oid, is_oid

_DIFF = (*LARGE_AS_BINARY, *COMMIT_DIFF, "--stdin", "--no-abbrev")
_COMMIT_MAP = "filter-repo/commit-map"
_RAW = re.compile(
    rb"^(?:([0-9a-f]{40,64})|:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]+) .*)$", re.MULTILINE
)
_PATCHES = re.compile(rb"^(?=[0-9a-f]{40,64}$)", re.MULTILINE)
_AT_ONCE = 100
"""Commits whose patches are in memory at once."""
_MOST_BYTES = 2_000_000
"""Bytes of one patch that is compared."""
_MOST_BLOBS = 100
"""Files of one commit that are listed; more are generated, or come from elsewhere."""


def patches_in(git: Repository, commits: Collection[Oid]) -> dict[Oid, CommitPatch]:
    """Return what commits change; nothing for merges and for those that are not there.

    All names in it have COMMIT_LENGTH digits.
    """
    names = [name for name in commits if git.read_header(name)]
    if not names:
        return {}
    with git.translated("a commit"):
        blobs = _blobs(git, names)
        # A partial clone would fetch what it lacks.
        patch_ids = {} if git.is_partial else _patch_ids(git, list(blobs))
    return {
        name: CommitPatch(
            name[:COMMIT_LENGTH],
            patch_ids.get(name, "")[:COMMIT_LENGTH],
            tuple(sorted(blobs[name])[:_MOST_BLOBS]),
        )
        for name in blobs
    }


def former_names(git: Repository, commits: Collection[Oid]) -> dict[Oid, Oid]:
    """Return commits by their names before `git filter-repo`, which runs no hook."""
    rows = map(str.split, read_text(git.common_dir / _COMMIT_MAP).splitlines())
    pairs = (row for row in rows if len(row) == 2)
    return {old: new for old, new in pairs if new in commits and is_oid(old)}


def _blobs(git: Repository, names: list[Oid]) -> dict[Oid, set[str]]:
    raw, blobs = git.output(*_DIFF, stdin=_lines(names)), dict[Oid, set[str]]()
    present = set[str]()
    for commit, blob in _RAW.findall(raw):
        if commit:
            present = blobs.setdefault(commit.decode(), set[str]())
        else:
            present.add(blob[:COMMIT_LENGTH].decode())
    return blobs


def _patch_ids(git: Repository, names: list[Oid]) -> dict[Oid, str]:
    """Return the patch ids of commits; none for a large or binary patch."""
    ids: dict[Oid, str] = {}
    while names:
        batch = names[:_AT_ONCE]
        names = names[_AT_ONCE:]
        try:
            patches = git.output(*_DIFF, "--patch", stdin=_lines(batch))
        except RefusedError as error:  # git printed the name before it failed
            *whole, last = [*_PATCHES.split(error.output)]
            broken = last[: len(batch[0])].decode() or batch[0]
            names = batch[batch.index(broken) + 1 :] + names
            patches = b"".join(whole)
        texts = (patch for patch in _PATCHES.split(patches) if _is_comparable(patch))
        output = git.output("patch-id", "--stable", stdin=b"".join(texts))
        words = output.decode().split()
        ids |= dict(zip(words[1::2], words[::2], strict=True))
    return ids


def _is_comparable(patch: bytes) -> bool:
    """Return False for a binary file: its patch does not say what changed."""
    return len(patch) <= _MOST_BYTES and b"\nBinary files " not in patch


def _lines(names: list[Oid]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


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


def lines_added_by(git: Repository, commit: Oid) -> dict[str, AddedLines]:
    """Return the lines that a commit adds, by path; nothing for a merge."""
    return dict(lines_by_commit(git, [commit])).get(commit, {})


def lines_by_commit(
    git: Repository, commits: Sequence[Oid]
) -> Iterator[tuple[Oid, dict[str, AddedLines]]]:
    """Yield commits with the lines that each adds, by path; no merge."""
    for first in range(0, len(commits), _AT_ONCE):
        names = [*commits[first : first + _AT_ONCE]]
        with git.translated("a commit"):
            patches = _COMMIT.split(text(git.output(*_PATCH, stdin=_lines(names))))
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
