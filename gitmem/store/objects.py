"""Git's objects as bytes, and their names; see git's documentation of its formats."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from gitmem.store.repository import Oid, Signature, TreeEntry


class Kind(IntEnum):
    """The numbers that packs have for them."""

    COMMIT = 1
    TREE = 2
    BLOB = 3


@dataclass(frozen=True, slots=True)
class GitObject:
    kind: Kind
    content: bytes

    @property
    def oid(self) -> Oid:
        header = f"{self.kind.name.lower()} {len(self.content)}\0".encode()
        return hashlib.sha1(header + self.content, usedforsecurity=False).hexdigest()


def blob(content: bytes) -> GitObject:
    return GitObject(Kind.BLOB, content)


def tree(entries: Mapping[bytes, TreeEntry]) -> GitObject:
    """Sorted as git does: a folder as if its name ended in a slash."""
    names = sorted(entries, key=lambda name: name + b"/" * entries[name].is_tree)
    lines = (_entry(name, entries[name]) for name in names)
    return GitObject(Kind.TREE, b"".join(lines))


def entries_of(content: bytes) -> Iterator[tuple[bytes, TreeEntry]]:
    """Of a tree, under their names."""
    start = 0
    while start < len(content):
        end = content.index(b"\0", start)
        mode, _, name = content[start:end].partition(b" ")
        start = end + 21
        yield name, TreeEntry(content[end + 1 : start].hex(), int(mode, 8))


def commit(tree: Oid, parents: list[Oid], message: str, author: Signature) -> GitObject:
    by = f"{author.name} <{author.email}> {_time(author.when)}"
    lines = [
        f"tree {tree}",
        *(f"parent {parent}" for parent in parents),
        f"author {by}",
        f"committer {by}",
        "",
        message,
    ]
    return GitObject(Kind.COMMIT, "\n".join(lines).encode())


def tree_of_commit(content: bytes) -> Oid:
    return content[len("tree ") : content.index(b"\n")].decode()


def _entry(name: bytes, entry: TreeEntry) -> bytes:
    return b"%o %b\0%b" % (entry.mode, name, bytes.fromhex(entry.oid))


def _time(when: datetime) -> str:
    """Seconds since 1970, and the zone as hours and minutes."""
    offset = when.utcoffset()
    minutes = int(offset.total_seconds() // 60) if offset else 0
    sign = "-" if minutes < 0 else "+"
    hours, minutes = divmod(abs(minutes), 60)
    return f"{int(when.timestamp())} {sign}{hours:02}{minutes:02}"
