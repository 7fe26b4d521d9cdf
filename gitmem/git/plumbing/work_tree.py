"""What git says of the files of a work tree: which differ, and which it knows.

Its index is read and never written, and nothing of the user's runs but the filters that
make a file what git keeps.
"""

import os
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.git.blame import line_count
from gitmem.git.command import RefusedError
from gitmem.git.paths import askable
from gitmem.git.plumbing.history import require_commit
from gitmem.git.plumbing.process import RAW, Process, changes, fields, text
from gitmem.git.repository import MOST_COUNTED
from gitmem.git.values import Change, FileChange, FileStat, Oid

_BINARY_WITHIN = 8000
"""Bytes; with a zero byte among the first of them a file is binary, to git as well."""

_DIFF = (
    *("-c", "diff.autoRefreshIndex=true"),  # else what was touched would count
    *("-c", f"core.bigFileThreshold={MOST_COUNTED}"),  # above it no lines are counted
    *("diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"),
    *("--diff-algorithm=myers", "--ignore-submodules=dirty"),
)
_UNTRACKED = ("ls-files", "--others", "--exclude-standard", "-z")
_CHECK_IGNORE = (
    "--no-literal-pathspecs",  # which it refuses, and takes all as they are
    *("check-ignore", "-z", "--stdin"),
)
_STATUS = (
    *("status", "--porcelain=v1", "-z", "--no-renames"),
    *("--untracked-files=all", "--ignore-submodules=dirty"),
)


def changes_since(git: Process, commit: Oid | None) -> Iterator[FileChange]:
    """See Repository.changes_since."""
    for path, change in _changes(git, _state(git, commit)).items():
        yield FileChange(text(path), change)


def stats_since(
    git: Process, commit: Oid | None, paths: Container[str]
) -> Iterator[FileStat]:
    """See Repository.stats_since."""
    state = _state(git, commit)
    found = _changes(git, state)
    wanted = {path: change for path, change in found.items() if text(path) in paths}
    counts = _counts(git, state, wanted)
    for path, change in wanted.items():
        if path in counts:
            added, removed = counts[path]
        else:
            added, removed = _lines(git, path), 0
        yield FileStat(FileChange(text(path), change), added, removed)


def differing(git: Process, commit: Oid, paths: Iterable[str]) -> set[str]:
    """See Repository.differing."""
    require_commit(git, commit)
    wanted = set(paths)
    head = _head(git)
    found: set[bytes] = set()
    for some in askable(wanted):
        if head:
            between = git.output("diff-tree", *RAW, commit, head, "--", *some)
            found.update(changes(between))
        now = fields(git.output(*_STATUS, "--", *some))
        found.update(line[len("XY ") :] for line in now)
    return wanted.intersection(map(os.fsdecode, found))


def tracks(git: Process, path: str) -> bool:
    """See Repository.tracks."""
    with suppress(RefusedError):
        for asked in askable([path]):
            found = git.output("ls-files", "-z", "--", *asked)
            return os.fsencode(path) in fields(found)
    return False


def is_ignored(git: Process, path: str) -> bool:
    """See Repository.is_ignored."""
    if git.work_tree is None:
        return False
    with suppress(RefusedError):  # it says no, or this is beyond a link
        for asked in askable([path]):
            given = b"./%b\0" % os.fsencode(asked[0])  # or `:` would say more
            return bool(git.output(*_CHECK_IGNORE, given=given))
    return False


def _state(git: Process, commit: Oid | None) -> Oid:
    """What the work tree is compared with: a commit, or the tree without a file."""
    if commit:
        return require_commit(git, commit).oid
    return git.output("hash-object", "-t", "tree", "--stdin").decode().strip()


def _changes(git: Process, state: Oid) -> dict[bytes, Change]:
    """By the paths of the files; what is left of a file that git forgot is modified."""
    found = changes(git.output(*_DIFF, *RAW, state, "--"))
    for path in fields(git.output(*_UNTRACKED)):
        found[path] = Change.MODIFIED if path in found else Change.CREATED
    return found


def _counts(
    git: Process, state: Oid, paths: Iterable[bytes]
) -> dict[bytes, tuple[int, int]]:
    """The lines that came and went in files which git knows."""
    found: dict[bytes, tuple[int, int]] = {}
    for some in askable(map(os.fsdecode, paths)):
        command = (*_DIFF, "--numstat", "-z", "--no-renames", state, "--", *some)
        for line in fields(git.output(*command)):
            added, removed, path = line.split(b"\t", 2)
            is_text = added != b"-"
            found[path] = (int(added), int(removed)) if is_text else (0, 0)
    return found


def _lines(git: Process, path: bytes) -> int:
    """Of a file that git does not know; a link has one."""
    with suppress(OSError):
        file = Path(git.work_tree or "", os.fsdecode(path))
        if file.is_symlink():
            return 1
        if file.is_file() and file.stat().st_size <= MOST_COUNTED:
            content = file.read_bytes()
            return 0 if b"\0" in content[:_BINARY_WITHIN] else line_count(content)
    return 0


def _head(git: Process) -> Oid | None:
    with suppress(RefusedError):
        found = git.output("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        return found.decode().strip()
    return None
