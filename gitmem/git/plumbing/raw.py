"""What git prints with `-z`, where no path needs quoting: above all its raw diffs."""

from gitmem.git.values import Change, FileChange, Oid

RAW = ("--raw", "-r", "-z", "--no-renames", "--no-abbrev")
"""Each file by itself, as `:MODE MODE OID OID STATUS`, and its path after it."""

_CHANGES = {b"A": Change.CREATED, b"D": Change.DELETED}


def fields(output: bytes) -> list[bytes]:
    """What ends with a zero byte each."""
    return output.split(b"\0")[:-1]


def text(path: bytes) -> str:
    """As a session writes it."""
    return path.decode("utf-8", "replace")


def changes(output: bytes) -> dict[bytes, Change]:
    """How the files differ between two states, by their paths."""
    each = iter(fields(output))
    return {path: _change(told) for told, path in zip(each, each, strict=True)}


def of_commits(output: bytes) -> dict[Oid, list[FileChange]]:
    """What `git diff-tree --stdin` says of each commit, against its first parent."""
    found: dict[Oid, list[FileChange]] = {}
    files: list[FileChange] = []
    each = iter(fields(output))
    for told in each:
        if told.startswith(b":"):
            files.append(FileChange(text(next(each)), _change(told)))
        else:  # the commit's name: of a merge again before each parent's files
            files = []
            found.setdefault(told.decode(), files)
    return found


def _change(told: bytes) -> Change:
    return _CHANGES.get(told[-1:], Change.MODIFIED)
