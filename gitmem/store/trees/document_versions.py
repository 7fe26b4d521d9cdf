"""Every text that a history ever had, and the earlier states of the memory."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from gitmem.documents.kind import Kind
from gitmem.errors import Damaged
from gitmem.git.command import RefusedError
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, is_oid
from gitmem.store.trees.backups import backups_of
from gitmem.store.trees.session_tree import REF, SessionTree


def versions(
    git: Repository, tips: Iterable[Oid], kind: Kind[Any], beside: Iterable[Oid] = ()
) -> Iterator[tuple[str, Oid]]:
    """Yield the id and blob of each text in commits that lead to `tips`, once.

    The newest come first, and those that lead to `beside` as well are left out. Raises
    Damaged where an object is not there, and Unavailable without git.
    """
    for path, oid in _objects(git, tips, beside):
        stem = path.rpartition("/")[2].removesuffix(".md")
        if kind.is_id(stem) and path == kind.path(stem):
            yield stem, oid


def note_versions(git: Repository, commit: Oid) -> Iterator[Oid]:
    """Yield the blobs of all notes that lead to a commit of theirs; raises the same."""
    for path, oid in _objects(git, [commit]):
        if is_oid(path.replace("/", "")):
            yield oid


def who_added(git: Repository, commit: Oid, path: str) -> str:
    """Return who added the file at `path` to a history, as its commit says.

    `Name <address>`, which anybody can write; "" where git does not know.
    """
    listing = ("log", "-1", "--diff-filter=A", "--format=%an <%ae>", commit)
    with suppress(Damaged):
        return next(_lines(git, *listing, "--", path), "")
    return ""


def _objects(
    git: Repository, tips: Iterable[Oid], beside: Iterable[Oid] = ()
) -> Iterator[tuple[str, Oid]]:
    """Yield path and name of each object that leads to commits, once."""
    named = "".join([*(f"{tip}\n" for tip in tips), *(f"^{tip}\n" for tip in beside)])
    for line in _lines(git, "rev-list", "--objects", "--stdin", given=named.encode()):
        oid, _, path = line.partition(" ")
        yield path, oid


def _lines(git: Repository, *arguments: str, given: bytes = b"") -> Iterator[str]:
    try:
        for line in git.lines(*arguments, given=given):
            yield line.decode("utf-8", "replace").rstrip("\n")
    except RefusedError as error:
        raise Damaged(f"Git cannot walk the history of the memory: {error}") from error


_MOST_MOVES = 1000
"""Of the reflog are looked at."""
_MOST_APART = 5
"""States of the reflog are given that do not lead to the tip."""


class Source(StrEnum):
    """Where a version is known from."""

    HISTORY = "history"
    BACKUP = "backup"
    REFLOG = "reflog"
    OBJECTS = "objects"  # that nothing leads to, until git prunes them
    JOURNAL = "journal"


class State(NamedTuple):
    commit: Oid
    source: Source


def earlier_states(git: Repository) -> list[State]:
    """Return the tip, backups, and where the ref was as far as that is here."""
    tip = git.resolve_ref(REF)
    backups = filter(None, map(git.resolve_ref, backups_of(git, REF)))
    moves = git.reflog(REF)[: -_MOST_MOVES - 1 : -1]
    return [
        *([State(tip, Source.HISTORY)] if tip else []),
        *(State(each, Source.BACKUP) for each in backups),
        *(State(each, Source.REFLOG) for each in moves if git.tree_of(each)),
    ]


def apart(
    git: Repository, memory: SessionTree, states: Iterable[State]
) -> Iterator[State]:
    """Yield the backups, and the newest states that no commit goes on from.

    Those of the reflog are where the ref was before it was set back or rewritten.
    """
    left = _MOST_APART
    for state in states:
        if state.source is Source.BACKUP:
            yield state
        elif left and not (
            memory.commit
            and git.merge_base(state.commit, memory.commit) == state.commit
        ):
            left -= 1
            yield state


def last_before(git: Repository, state: State, moment: datetime) -> State | None:
    """Return the newest state before a moment among its first parents, and itself.

    By commit times. Raises Damaged where a commit is not there, and Unavailable without
    git.
    """
    limit = ("-1", "--first-parent", f"--min-age={int(moment.timestamp()) - 1}")
    found = next(_lines(git, "rev-list", *limit, state.commit, "--"), None)
    return State(found, state.source) if found else None
