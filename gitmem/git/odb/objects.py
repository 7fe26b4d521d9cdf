"""Git's objects as bytes, their names, and packs of them, in git's formats."""

import hashlib
import struct
import zlib
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from enum import IntEnum, StrEnum

from gitmem.frozen import frozen
from gitmem.git.values import Oid, Signature, TreeEntry

_FAR = 4_102_444_800
"""The first of January 2100, in seconds since 1970."""


class ObjectType(IntEnum):
    """The numbers that packs have for them."""

    COMMIT = 1
    TREE = 2
    BLOB = 3


class ObjectFormat(StrEnum):
    """By which objects are named, as git's `extensions.objectFormat` says."""

    SHA1 = "sha1"
    SHA256 = "sha256"

    @property
    def length(self) -> int:
        """Of a name, in bytes; each is two characters of an Oid."""
        return 20 if self is ObjectFormat.SHA1 else 32

    def digest(self, content: bytes | bytearray) -> bytes:
        return hashlib.new(self, content, usedforsecurity=False).digest()


@frozen
class GitObject:
    kind: ObjectType
    content: bytes
    named_by: ObjectFormat = ObjectFormat.SHA1

    @property
    def kind_name(self) -> str:
        return self.kind.name.lower()

    @property
    def encoded(self) -> bytes:
        """As git names it, and compresses it into a loose file."""
        return f"{self.kind_name} {len(self.content)}\0".encode() + self.content

    @property
    def oid(self) -> Oid:
        return self.named_by.digest(self.encoded).hex()


def pack_of(
    new: Collection[GitObject], named_by: ObjectFormat, level: int = 6
) -> bytes:
    """Return a pack without deltas, which `git gc` finds in time."""
    pack = bytearray(b"PACK" + struct.pack(">II", 2, len(new)))
    for item in new:
        pack += _pack_header(item) + zlib.compress(item.content, level)
    return bytes(pack + named_by.digest(pack))


def _pack_header(item: GitObject) -> bytes:
    """Encode kind and length: four bits in the first byte, then seven in each."""
    rest, byte = len(item.content) >> 4, item.kind << 4 | len(item.content) & 15
    header = bytearray()
    while rest:
        header.append(byte | 128)
        rest, byte = rest >> 7, rest & 127
    header.append(byte)
    return bytes(header)


def tree(entries: Mapping[bytes, TreeEntry]) -> bytes:
    """Encode a tree, sorted as git does: a folder as if its name ended in a slash."""
    names = sorted(entries, key=lambda name: name + b"/" * entries[name].is_tree)
    return b"".join(_entry(name, entries[name]) for name in names)


def entries_of(content: bytes, named_by: ObjectFormat) -> dict[bytes, TreeEntry]:
    """Parse a tree, by names. Raises ValueError for what is none.

    Also where two have one name: which of them another reader takes is not known.
    """
    entries: dict[bytes, TreeEntry] = {}
    start, size, length = 0, len(content), named_by.length
    while start < size:
        end = content.index(b"\0", start)
        mode, _, name = content[start:end].partition(b" ")
        start = end + 1 + length
        if start > size:
            raise ValueError("it ends in the middle of an entry")
        if not name or name in entries:
            raise ValueError("two of its entries have one name, or one has none")
        entries[name] = TreeEntry(content[end + 1 : start].hex(), int(mode, 8))
    return entries


def commit(
    tree: Oid, parents: list[Oid], message: str, author: Signature, committed: int
) -> bytes:
    """Encode a commit; `committed` is its time, in seconds since 1970."""
    by, zone = f"{author.name} <{author.email}>", f"{author.when:%z}"[:5]
    lines = [
        f"tree {tree}",
        *(f"parent {parent}" for parent in parents),
        f"author {by} {int(author.when.timestamp())} {zone}",
        f"committer {by} {committed} {zone}",
        "",
        message,
    ]
    return "\n".join(lines).encode()


def commit_time(when: datetime, parents: Iterable[int]) -> int:
    """Return the commit time of what happened at `when`, in seconds since 1970.

    Git takes a commit to be no older than its parents; where one is, it walks all of
    history for each push and fetch. A date that no clock shows is not handed on.
    """
    return max([int(when.timestamp()), *(time for time in parents if time < _FAR)])


def committed_at(content: bytes) -> int:
    """Return when a commit was made, in seconds since 1970."""
    fields = _fields(content.partition(b"\n\n")[0])
    by = next(field for field in fields if field.startswith(b"committer "))
    return int(by.split(b" ")[-2])


@frozen
class CommitParts:
    """The tree, parents, header and message of a commit."""

    tree: Oid
    parents: tuple[Oid, ...]
    header: tuple[bytes, ...]
    """Author, committer and whatever else, such as its encoding."""
    message: bytes


def commit_parts(content: bytes) -> CommitParts:
    header, _, message = content.partition(b"\n\n")
    fields = [field.partition(b" ") for field in _fields(header)]
    return CommitParts(
        tree=next(value.decode() for name, _, value in fields if name == b"tree"),
        parents=tuple(value.decode() for name, _, value in fields if name == b"parent"),
        header=tuple(
            b" ".join((name, value))
            for name, _, value in fields
            if name not in (b"tree", b"parent")
        ),
        message=message,
    )


def tree_of_commit(content: bytes) -> Oid:
    return content[len("tree ") : content.index(b"\n")].decode()


def _fields(header: bytes) -> list[bytes]:
    """Split a header; a line that begins with a space goes on with the one before."""
    fields: list[bytes] = []
    for line in header.split(b"\n"):
        if line.startswith(b" ") and fields:
            fields[-1] += b"\n" + line
        else:
            fields.append(line)
    return fields


def _entry(name: bytes, entry: TreeEntry) -> bytes:
    return b"%o %b\0%b" % (entry.mode, name, bytes.fromhex(entry.oid))
