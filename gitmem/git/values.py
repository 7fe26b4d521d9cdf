"""What git has, as values: names of objects, entries of trees, lines of a blame."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import islice

from gitmem.frozen import frozen
from gitmem.redaction.redact import NAME, Redacted
from gitmem.text.patterns import pattern


class Change(StrEnum):
    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"


@frozen
class FileChange:
    path: str
    """Relative to the root, with `/` between its parts."""
    change: Change


Oid = str
COMMIT_LENGTH = 12
"""Digits of a commit's name by which a session lists it."""
ABBREVIATED = 7
"""Digits of a commit's name that are shown, as git does."""
SHA = pattern(r"[0-9a-f]+")
"""Pattern of a commit's name, however short."""
_OID = pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)


def is_oid(text: str) -> bool:
    """Return whether it can be the name of an object, in full."""
    return _OID.fullmatch(text) is not None


@frozen
class Signature:
    name: str
    email: str
    when: datetime
    """Aware; kept in whole seconds with its offset."""

    @property
    def who(self) -> str:
        return f"{self.name} <{self.email}>"


FILE_MODE, TREE_MODE = 0o100644, 0o040000
"""Modes of a file that cannot be run, and of a folder."""


@frozen
class TreeEntry:
    oid: Oid
    mode: int
    """040000 a tree, 100644 a file; others are links, submodules and the like."""

    @property
    def is_tree(self) -> bool:
        return self.mode == TREE_MODE


Content = Redacted | TreeEntry | None
"""Text of a file, or an object that exists already; None deletes the file."""
TreeChanges = Mapping[str, Content]
"""New content by path; None deletes the file."""


@frozen
class Head:
    branch: str | None
    """Short name; None when detached."""
    commit: Oid | None
    """None before the first commit."""


@frozen
class FileStat:
    """How one file differs between two states, as in `git diff --numstat`."""

    file: FileChange
    insertions: int
    deletions: int


@dataclass(frozen=True, slots=True, order=True)
class Commit:
    sha: str = field(metadata=NAME)
    subject: str

    def is_same(self, commit: "Commit") -> bool:
        """Return whether it is that commit, by as many digits as both have."""
        return self.sha.startswith(commit.sha) or commit.sha.startswith(self.sha)


@dataclass(frozen=True, slots=True, order=True)
class CommitPatch:
    """What of a commit stays the same when it gets another name."""

    sha: str = field(metadata=NAME)
    patch_id: str = field(metadata=NAME)
    """The first digits of `git patch-id --stable`; "" for a commit without a patch."""
    blobs: tuple[str, ...] = field(default=(), metadata=NAME)
    """The first digits of each file after it, with the lines that the commit added, or
    that the session wrote of a person's commit: `1a2b3c4d5e6f:3-17,20-20`."""

    def has_blob(self, digits: str) -> bool:
        return any(blob[:COMMIT_LENGTH] == digits for blob in self.blobs)

    def own_lines(self, digits: str) -> frozenset[int] | None:
        """Return the lines of a file that the session wrote; None for all."""
        for blob in self.blobs:
            name, _, ranges = blob.partition(":")
            if name == digits:
                numbers = islice(_numbers_in(ranges), _MOST_LINES)
                return frozenset(numbers) if ranges else None
        return None if self.patch_id else frozenset()


_MOST_LINES = 1_000_000
"""Most lines of a file; a document may say anything."""


def _numbers_in(ranges: str) -> Iterator[int]:
    for part in ranges.split(","):
        first, last = map(int, part.split("-"))
        yield from range(first, last + 1)


@frozen
class CommitDetails:
    oid: Oid
    subject: str
    committer: Signature
    files: tuple[FileChange, ...]
    """Against the first parent."""


@frozen
class RangeCommit:
    oid: Oid
    message: str
    insertions: Mapping[str, int]
    """How many lines it adds to each file, by path; none to a binary file."""

    @property
    def subject(self) -> str:
        return self.message.partition("\n")[0]

    @property
    def lines(self) -> int:
        """How many lines it adds."""
        return sum(self.insertions.values())


@frozen
class Dated:
    oid: Oid
    when: datetime
    """When it was committed, or the nearest time that a calendar has."""


@frozen
class ReflogEntry:
    """Of a ref, as its reflog has it."""

    old: Oid
    new: Oid
    """Either is all zeros where there was no commit."""
    reason: str
    """The action, such as `commit (amend): SUBJECT`."""


@frozen
class RawCommit:
    oid: Oid
    content: bytes
    """The object's text: lines of the header, an empty line, the message."""


@frozen
class Lines:
    """Some lines of a file, counted from 1; both ends belong to them."""

    first: int
    last: int


@frozen
class LineGroup:
    """Lines of a file that follow each other and come from one commit."""

    commit: Oid
    """All zeros for lines in no commit."""
    path: str
    """The file in that commit."""
    original_line: int
    """The number of the first line in that commit's file."""
    final_line: int
    """Its number in the file that was asked about."""
    count: int

    @property
    def final(self) -> range:
        """Return the numbers of the lines in the file that was asked about."""
        return range(self.final_line, self.final_line + self.count)

    @property
    def original(self) -> range:
        """Return the numbers of the lines in that commit's file."""
        return range(self.original_line, self.original_line + self.count)


@frozen
class Blame:
    """Which commits lines come from."""

    groups: tuple[LineGroup, ...] = ()
    uncommitted_groups: tuple[LineGroup, ...] = ()
    """Lines in no commit yet."""
    beyond: int = 0
    """How many lines may be older than a shallow clone."""

    @property
    def uncommitted(self) -> int:
        """Return how many lines are in no commit yet."""
        return sum(group.count for group in self.uncommitted_groups)

    @property
    def commits(self) -> Mapping[Oid, int]:
        """Return how many lines each commit has."""
        counts: Counter[Oid] = Counter()
        for group in self.groups:
            counts[group.commit] += group.count
        return counts

    @property
    def lines(self) -> int:
        return sum(self.commits.values()) + self.uncommitted + self.beyond
