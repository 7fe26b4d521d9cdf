"""Tombstones: records in the memory's tree of what was forgotten, or restored since.

`forgotten/<2 digits>/<62 digits>` is named by a digest of the conversation, and tells
nothing of it. A forgotten session has one for each of its ids as well, because what was
said in it is known by ids alone; a forgotten item of a session has one of its own. A
record says how often its subject was restored and forgotten again: merging keeps the
one with the highest number, and nothing that is forgotten by it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from gitmem.documents.names import digest
from gitmem.documents.session import header
from gitmem.documents.session.identity import is_session_id
from gitmem.documents.session.parsing import parts
from gitmem.documents.session.session import Session, without_items
from gitmem.git.values import Oid, TreeEntry
from gitmem.redaction.redact import Redacted, redact_own
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.patterns import pattern

ROOT = "forgotten"
MOST_BYTES = 200
"""Of a tombstone."""

_FOLDER_LENGTH = 2
_PATH = pattern(rf"{ROOT}/[0-9a-f]{{{_FOLDER_LENGTH}}}/[0-9a-f]{{62}}", re.ASCII)
_NAMING = frozenset({"tool", "client_session_id"})
_WITH_HISTORY = "history"
"""The line that says so."""
_TURN = pattern(r"(?:forgotten|restored) ([0-9]{1,6})", re.ASCII)
MOST_TURNS = 999_999
"""The last one restores, so nothing that was forgotten is beyond restoring."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    when: datetime | None
    """When the session was forgotten, as its clone said; None where that is no time."""
    with_history: bool
    """Whether earlier commits do not have the session any more either."""
    turn: int = 0
    """How often the session was restored and forgotten since it was first forgotten."""

    @property
    def is_in_force(self) -> bool:
        """Whether the session is forgotten, and was not restored since."""
        return self.turn % 2 == 0

    def restored(self, when: datetime) -> "Tombstone":
        """The record that takes this one back."""
        return Tombstone(when, self.with_history, min(self.turn + 1, MOST_TURNS))

    def in_force(self, when: datetime, *, with_history: bool) -> "Tombstone":
        """The record by which the session is forgotten, and with its history if asked.

        This one where it says so already.
        """
        if not self.is_in_force:
            turn = min(self.turn + 1, MOST_TURNS)
            return Tombstone(when, with_history, turn)
        if with_history and not self.with_history:
            return replace(self, when=when, with_history=True)
        return self


def tombstones_of(
    memory: SessionTree, session: Session, when: datetime, *, with_history: bool
) -> dict[str, Redacted]:
    """The records to be written for a session to be forgotten, by their paths."""
    return dict(_forgetting(memory, paths_of(session), when, with_history=with_history))


def item_tombstones(
    memory: SessionTree, session: Session, items: Iterable[str], when: datetime
) -> dict[str, Redacted]:
    """The records to be written for items of a session to be forgotten."""
    paths = (item_path(session, item) for item in items)
    return dict(_forgetting(memory, paths, when, with_history=False))


def without_forgotten(memory: SessionTree, session: Session) -> Session:
    """The session without the items that are forgotten."""
    if not memory.folder(ROOT):
        return session
    return without_items(
        session, lambda item: is_in_force(memory, item_path(session, item))
    )


def restorations_of(
    memory: SessionTree, session: Session, when: datetime
) -> dict[str, Redacted]:
    """The records to be written for a session to be there again, by their paths."""
    return {
        path: rendered(before.restored(when))
        for path in paths_of(session)
        if (before := _at(memory, path)) and before.is_in_force
    }


def paths_of(session: Session) -> list[str]:
    """Where the records of a session are: of its conversation, and of its ids."""
    return [*dict.fromkeys((tombstone_path(session), *paths_of_ids(session)))]


def paths_of_ids(session: Session) -> list[str]:
    return [*map(id_path, session.all_ids)]


def tombstone_path(session: Session) -> str:
    """Where the tombstone of a session is, in the tree of the memory."""
    named = conversation_path(session.tool, session.client_session_id)
    return named or _path(session.id)


def tombstone_path_of(session_id: str, document: str) -> str:
    """The same for the document of a session, of which little is read."""
    head, _ = parts(document)
    value = header.read(head, _NAMING).values.get
    named = conversation_path(value("tool", ""), value("client_session_id", ""))
    return named or _path(session_id)


def conversation_path(tool: str, client_session_id: str) -> str | None:
    """Where the tombstone of a conversation is; None for one without a name."""
    return _path(f"{tool}\0{client_session_id}") if client_session_id else None


def id_path(session_id: str) -> str:
    """Where the tombstone of an id is; a session that has one may have others, too."""
    return _path(session_id)


def item_path(session: Session, item: str) -> str:
    """Where the tombstone of an item of a session is."""
    return _path(f"{session.tool}\0{session.client_session_id or session.id}\0{item}")


def is_tombstone_path(path: str) -> bool:
    return _PATH.fullmatch(path) is not None


def is_forgotten(memory: SessionTree, tool: str, client_session_id: str) -> bool:
    """Whether this conversation is forgotten."""
    path = conversation_path(tool, client_session_id)
    return path is not None and is_in_force(memory, path)


def is_id_forgotten(memory: SessionTree, session_id: str) -> bool:
    """Whether a session that is forgotten had this id."""
    return is_in_force(memory, _path(session_id))


def is_id_gone(memory: SessionTree, session_id: str) -> bool:
    """The same, where no other session has it now; False for what is no id."""
    is_free = is_session_id(session_id) and memory.entry(session_id) is None
    return is_free and is_id_forgotten(memory, session_id)


def is_in_force(memory: SessionTree, path: str) -> bool:
    """Whether there is a record at `path` by which something is forgotten."""
    record = _at(memory, path)
    return record is not None and record.is_in_force


def all_tombstones(memory: SessionTree) -> Oid | None:
    """Their folder, which is another one wherever there are others; None for none."""
    folder = memory.folder("").get(ROOT)
    return folder.oid if folder else None


def with_history(memory: SessionTree) -> frozenset[str]:
    """Paths of the tombstones whose sessions are in no earlier commit any more."""

    @cache  # those of one session have one text
    def is_with_history(file: TreeEntry) -> bool:
        record = read_tombstone(memory.content(file))
        return record.is_in_force and record.with_history

    tombstones = _tombstones(memory)
    return frozenset(path for path, file in tombstones if is_with_history(file))


def read_tombstone(text: str) -> Tombstone:
    """What a record says; one that cannot be read is a plain tombstone."""
    time, *lines = text.split("\n")
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        when = None
    turns = [int(found[1]) for found in map(_TURN.fullmatch, lines) if found]
    return Tombstone(when, _WITH_HISTORY in lines, max(turns, default=0))


def prevailing(texts: Iterable[str]) -> str:
    """Of records of one subject the one that a merge keeps.

    That with the highest number; of these one that tells of history, or the earlier.
    """

    def order(text: str) -> tuple[int, bool, str]:
        record = read_tombstone(text)
        return -record.turn, not record.with_history, text

    return min(texts, key=order)


def rendered(tombstone: Tombstone) -> Redacted:
    """A line each: a time; whether history was rewritten; the number, above none."""
    time = tombstone.when.isoformat(timespec="seconds") if tombstone.when else ""
    word = "forgotten" if tombstone.is_in_force else "restored"
    lines = [
        *(time, *[_WITH_HISTORY] * tombstone.with_history),
        *([f"{word} {tombstone.turn}"] if tombstone.turn else ()),
    ]
    return redact_own("\n".join(lines) + "\n")


def _forgetting(
    memory: SessionTree, paths: Iterable[str], when: datetime, *, with_history: bool
) -> Iterator[tuple[str, Redacted]]:
    """Records that are not there yet."""
    new = Tombstone(when, with_history)
    for path in paths:
        before = _at(memory, path)
        after = (before or new).in_force(when, with_history=with_history)
        if after != before:
            yield path, rendered(after)


def _at(memory: SessionTree, path: str) -> Tombstone | None:
    file = memory.file(path)
    return read_tombstone(memory.content(file)) if file else None


def _tombstones(memory: SessionTree) -> Iterator[tuple[str, TreeEntry]]:
    for folder in memory.folder(ROOT):
        for name in memory.folder(f"{ROOT}/{folder}"):
            path = f"{ROOT}/{folder}/{name}"
            if is_tombstone_path(path) and (file := memory.file(path)):
                yield path, file


def _path(name: str) -> str:
    digits = digest(name)
    return f"{ROOT}/{digits[:_FOLDER_LENGTH]}/{digits[_FOLDER_LENGTH:]}"
