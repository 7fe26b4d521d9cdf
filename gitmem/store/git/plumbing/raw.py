"""What git's diffs print with `--raw` and `-z`, where no path needs quoting."""

from collections.abc import Iterator

from gitmem.model.session import Change, FileChange
from gitmem.store.git.repository import Oid

RAW = ("--raw", "-r", "-z", "--no-renames", "--no-abbrev")
"""Each file by itself, as `:MODE MODE OID OID STATUS`, and its path after it."""

_CHANGES = {b"A": Change.CREATED, b"D": Change.DELETED}


def fields(output: bytes) -> list[bytes]:
    """Of what ends with a zero byte each."""
    return output.split(b"\0")[:-1]


def text(path: bytes) -> str:
    """As a session writes it."""
    return path.decode("utf-8", "replace")


def file_changes(output: bytes) -> Iterator[FileChange]:
    """The files that differ between two states, each once."""
    yield from dict.fromkeys(change for _, change in _entries(fields(output)))


def of_commits(output: bytes) -> dict[Oid, tuple[FileChange, ...]]:
    """What `git diff-tree --stdin` says of each commit, against its first parent.

    The commit's name comes before its files; of a merge again for each parent.
    """
    found: dict[Oid, list[FileChange]] = {}
    for commit, change in _entries(fields(output)):
        ...
    return {}
