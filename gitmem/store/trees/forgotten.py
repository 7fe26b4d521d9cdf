"""Sessions that were forgotten, and stay so: tombstones, in the memory's tree.

`forgotten/<2 digits>/<62 digits>` is named by a digest of the conversation, and tells
nothing of it. Merging keeps every tombstone, and no session that has one. What was said
is kept by the ids of sessions, so a forgotten session has a tombstone for each of its
ids as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from gitmem.model import header
from gitmem.model.identity import digest, is_session_id
from gitmem.model.reader import parts
from gitmem.model.session import Session
from gitmem.redaction.redact import Redacted, redact_own
from gitmem.store.git.values import Oid, TreeEntry
from gitmem.store.trees.memory import Memory

ROOT = "forgotten"
MOST_BYTES = 200
"""Of a tombstone."""

_FOLDER_LENGTH = 2
_PATH = re.compile(rf"{ROOT}/[0-9a-f]{{{_FOLDER_LENGTH}}}/[0-9a-f]{{62}}", re.ASCII)
_NAMING = frozenset({"tool", "client_session_id"})
_WITH_HISTORY = "history"
"""The line that says so."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    when: datetime | None
    """When the session was forgotten, as its clone said; None where that is no time."""
    with_history: bool
    """Whether earlier commits do not have the session any more either."""


def tombstones_of(
    session: Session, when: datetime, *, with_history: bool
) -> dict[str, Redacted]:
    """Everything that has to be written for a session to be forgotten, by its path."""
    text = tombstone(when, with_history=with_history)
    return dict.fromkeys(
        (tombstone_path(session), *tombstone_paths_of_ids(session)), text
    )


def tombstone_paths_of_ids(session: Session) -> list[str]:
    """One for each id that a session has or had."""
    return [*map(id_path, session.all_ids)]


def tombstone(when: datetime, *, with_history: bool) -> Redacted:
    """The text of a tombstone: a time, and whether history was rewritten, too."""
    lines = [when.isoformat(timespec="seconds"), *[_WITH_HISTORY] * with_history]
    return redact_own("\n".join(lines) + "\n")


def tombstone_path(session: Session) -> str:
    """Where the tombstone of a session is, in the tree of the memory."""
    return _path_of(session.tool, session.client_session_id) or _path(session.id)


def tombstone_path_of(session_id: str, document: str) -> str:
    """The same for the document of a session, of which little is read."""
    head, _ = parts(document)
    value = header.read(head, _NAMING).values.get
    named = _path_of(value("tool", ""), value("client_session_id", ""))
    return named or _path(session_id)


def id_path(session_id: str) -> str:
    """Where the tombstone of an id is; a session that has one may have others, too."""
    return _path(session_id)


def is_tombstone_path(path: str) -> bool:
    return _PATH.fullmatch(path) is not None


def is_forgotten(memory: Memory, tool: str, client_session_id: str) -> bool:
    """Whether this conversation has a tombstone."""
    path = _path_of(tool, client_session_id)
    return path is not None and memory.file(path) is not None


def is_id_forgotten(memory: Memory, session_id: str) -> bool:
    """Whether a session that was forgotten had this id."""
    return memory.file(_path(session_id)) is not None


def is_id_gone(memory: Memory, session_id: str) -> bool:
    """The same, where no other session has it now; False for what is no id."""
    is_free = is_session_id(session_id) and memory.entry(session_id) is None
    return is_free and is_id_forgotten(memory, session_id)


def all_tombstones(memory: Memory) -> Oid | None:
    """Their folder, which is another one wherever there are others; None for none."""
    folder = memory.folder("").get(ROOT)
    return folder.oid if folder else None


def with_history(memory: Memory) -> frozenset[str]:
    """Paths of the tombstones whose sessions are in no earlier commit any more."""

    @cache  # those of one session have one text
    def is_with_history(file: TreeEntry) -> bool:
        return read_tombstone(memory.content(file)).with_history

    tombstones = _tombstones(memory)
    return frozenset(path for path, file in tombstones if is_with_history(file))


def read_tombstone(text: str) -> Tombstone:
    time, *lines = text.split("\n")
    try:
        when = datetime.fromisoformat(time)
    except ValueError:
        when = None
    return Tombstone(when, with_history=_WITH_HISTORY in lines)


def _tombstones(memory: Memory) -> Iterator[tuple[str, TreeEntry]]:
    for folder in memory.folder(ROOT):
        for name in memory.folder(f"{ROOT}/{folder}"):
            path = f"{ROOT}/{folder}/{name}"
            if is_tombstone_path(path) and (file := memory.file(path)):
                yield path, file


def _path_of(tool: str, client_session_id: str) -> str | None:
    return _path(f"{tool}\0{client_session_id}") if client_session_id else None


def _path(name: str) -> str:
    digits = digest(name)
    return f"{ROOT}/{digits[:_FOLDER_LENGTH]}/{digits[_FOLDER_LENGTH:]}"
