"""All that is stored of sessions, as texts: in commits of ours, and beside them.

The index is not among them: it is made of what is. Where one place cannot be looked
into, that is said, and the others are.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import CONVERSATION, KINDS, SESSION, refs
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.values import Oid
from gitmem.store.error_log import log_path
from gitmem.store.journal.journal import journal_of
from gitmem.store.readable_copies import is_real_folder
from gitmem.store.trees import notes
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.document_versions import note_versions, versions
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_NAMED = pattern(r"^Ocm-Session: (\S+)$", re.MULTILINE)
_MOST_BYTES = 1_000_000
"""Of a note."""


class Where(StrEnum):
    DOCUMENT = "document"
    CONVERSATION = "conversation"
    MESSAGE = "commit-message"
    NOTE = "note"
    JOURNAL = "journal"
    COPY = "readable-copy"
    LOG = "log"


@frozen
class Stored:
    """One text; it is read when it is asked for."""

    session_id: str | None
    """None where it is of no session, or where only the text says of which."""
    where: Where
    is_earlier: bool
    """Whether it is at no tip any more."""
    read: Callable[[], str]
    """Raises Damaged and OSError."""


@frozen
class Gap:
    """What could not be looked at."""

    session_id: str | None
    where: Where
    why: str


def stored(workspace: Workspace) -> Iterator[Stored | Gap]:
    """What is at the tips comes before what was there earlier."""
    for kind in KINDS.values():
        where = Where.CONVERSATION if kind is CONVERSATION else Where.DOCUMENT
        yield from _texts_of(workspace, kind, where)
    for ref in (*refs(), notes.REF):
        yield from _or_gap(Where.MESSAGE, _messages(workspace, ref))
    yield from _or_gap(Where.NOTE, _notes(workspace))
    yield from _or_gap(Where.JOURNAL, _journals(workspace))
    yield from _or_gap(Where.COPY, _copies(workspace))
    if (log := log_path(workspace.repository.common_dir)).exists():
        yield Stored(None, Where.LOG, False, partial(_content, log))


def session_named(text: str) -> str | None:
    """The session that a commit message or a note of ours is about, if it is of one."""
    named = _NAMED.findall(text)
    return named[0] if len(named) == 1 and SESSION.is_id(named[0]) else None


def _or_gap(where: Where, found: Iterable[Stored]) -> Iterator[Stored | Gap]:
    try:
        yield from found
    except (GitmemError, OSError) as error:
        yield Gap(None, where, str(error))


def _texts_of(
    workspace: Workspace, kind: Kind[Any], where: Where
) -> Iterator[Stored | Gap]:
    known: set[Oid] = set()
    yield from _or_gap(where, _now(workspace, kind, where, known))
    yield from _or_gap(where, _earlier(workspace, kind, where, known))


def _now(
    workspace: Workspace, kind: Kind[Any], where: Where, known: set[Oid]
) -> Iterator[Stored]:
    tree = tree_at_tip(kind, workspace.repository)
    for session_id in tree.ids():
        if entry := tree.entry(session_id):
            known.add(entry.oid)
            yield Stored(session_id, where, False, partial(tree.content, entry))


def _earlier(
    workspace: Workspace, kind: Kind[Any], where: Where, known: set[Oid]
) -> Iterator[Stored]:
    git, variables = workspace.repository, workspace.environment.variables
    if tips := [tip for ref in refs_of(git, kind) if (tip := git.resolve_ref(ref))]:
        for session_id, blob in versions(git, tips, kind, variables):
            if blob not in known:
                read = partial(_blob, workspace, blob, kind.most_bytes)
                yield Stored(session_id, where, True, read)


def _messages(workspace: Workspace, ref: str) -> Iterator[Stored]:
    if tip := workspace.repository.resolve_ref(ref):
        for commit in workspace.repository.ancestry(tip):
            message = commit.content.partition(b"\n\n")[2]
            read = partial(message.decode, "utf-8", "replace")
            yield Stored(None, Where.MESSAGE, False, read)


def _notes(workspace: Workspace) -> Iterator[Stored]:
    git, variables = workspace.repository, workspace.environment.variables
    if tip := git.resolve_ref(notes.REF):
        for blob in note_versions(git, tip, variables):
            read = partial(_blob, workspace, blob, _MOST_BYTES)
            yield Stored(None, Where.NOTE, False, read)


def _journals(workspace: Workspace) -> Iterator[Stored]:
    for kind in KINDS.values():
        if kind.parent is None:
            journal = journal_of(workspace.repository.common_dir, kind)
            for name in journal.names():
                document_id = journal.position_of(name).document_id
                read = partial(_texts_in, partial(journal.lines, name))
                yield Stored(document_id, Where.JOURNAL, False, read)


def _copies(workspace: Workspace) -> Iterator[Stored]:
    """Also of sessions of other repositories, where they lie in this one."""
    for folder in filter(is_real_folder, workspace.copy_folders()):
        for path in sorted(folder.glob("*.md")):
            if SESSION.is_id(path.stem) and path.is_file() and not path.is_symlink():
                yield Stored(path.stem, Where.COPY, False, partial(_content, path))


def _blob(workspace: Workspace, blob: Oid, most: int) -> str:
    return workspace.repository.read_blob(blob, most).decode("utf-8", "replace")


def _content(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.read(SESSION.most_bytes).decode("utf-8", "replace")


def _texts_in(lines: Callable[[], Iterable[str]]) -> str:
    """What lines of JSON say, without the escapes that hide it."""
    return "\n".join(text for line in lines() for text in _strings(_value(line)))


def _value(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | dict():
            items = value.values() if isinstance(value, dict) else value
            for item in items:
                yield from _strings(item)
