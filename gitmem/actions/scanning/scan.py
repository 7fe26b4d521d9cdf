"""Scan what is stored for what today's rules would redact.

What an earlier version saved, or a remote sent, may contain secrets that the rules of
today find. The index is left out: it is derived from the rest. A place that cannot be
read becomes a gap, and the others are scanned.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import CONVERSATION, KINDS, SESSION, refs
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError, NotFound
from gitmem.frozen import frozen
from gitmem.git.files import is_file
from gitmem.git.values import Oid
from gitmem.lookup import find_id
from gitmem.redaction.redact import rules_that_see
from gitmem.store.error_log import log_path
from gitmem.store.journal.beside import DIFF
from gitmem.store.journal.journal import Journal, journal_of
from gitmem.store.readable_copies import copy_names, is_real_folder
from gitmem.store.trees import notes
from gitmem.store.trees.backups import refs_of
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.document_versions import note_versions, versions
from gitmem.text.counting import Progress
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_NAMED = pattern(r"^Ocm-Session: (\S+)$", re.MULTILINE)
_MOST_BYTES = 1_000_000
"""Bytes of a note that are read."""


class Where(StrEnum):
    DOCUMENT = "document"
    CONVERSATION = "conversation"
    MESSAGE = "commit-message"
    NOTE = "note"
    JOURNAL = "journal"
    DIFF = "kept-diff"
    COPY = "readable-copy"
    LOG = "log"


@frozen
class SecretLocation:
    session_id: str | None
    """None for no session, or where only the text names it."""
    where: Where
    is_earlier: bool = False
    """True if only history has it."""


Text = tuple[SecretLocation, Callable[[], str]]
"""One text, read on demand; that raises Damaged and OSError."""


@frozen
class Gap:
    """A text, or a place, that could not be read."""

    session_id: str | None
    where: Where
    why: str


@dataclass(slots=True)
class Scan:
    texts: int = 0
    seen: dict[SecretLocation, Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """Findings by place and rule."""
    gaps: list[Gap] = field(default_factory=list)

    @property
    def sessions(self) -> set[str]:
        """Ids of the sessions with findings."""
        return {place.session_id for place in self.seen if place.session_id}


def scan(
    workspace: Workspace, only: Collection[str] | None, progress: Progress
) -> Scan:
    """Replay the journal, then scan everything, or these sessions alone."""
    with suppress(GitmemError, OSError):  # the gaps will say so
        workspace.current_sessions()
    result = Scan()
    texts = [
        (place, read)
        for place, read in _stored(workspace, result)
        if only is None or place.session_id is None or place.session_id in only
    ]
    ids = _ids_by_name(workspace)
    for number, (place, read) in enumerate(texts, 1):
        _look(place, read, ids, only, result)
        progress(number, len(texts))
    return result


def ids_of(workspace: Workspace, name: str) -> set[str]:
    """Return all ids of the named session; see `find_id` for errors.

    An id may also name a session that only history has.
    """
    try:
        session_id = find_id(workspace, SESSION, name)
    except NotFound:
        if SESSION.is_id(name):
            return {name}
        raise
    session = workspace.store.memory().readable(session_id)
    return {*(_names(session) if session else [session_id])}


def _names(session: Session) -> list[str]:
    return [*SESSION.names(session), *copy_names(SESSION, session)]


def _ids_by_name(workspace: Workspace) -> dict[str, str]:
    """Return the ids of sessions by what messages, notes and copies call them."""
    sessions = workspace.store.memory().newest()
    return {name: session.id for session in sessions for name in _names(session)}


def _look(
    place: SecretLocation,
    read: Callable[[], str],
    ids: Mapping[str, str],
    only: Collection[str] | None,
    result: Scan,
) -> None:
    try:
        text = read()
    except (GitmemError, OSError) as error:
        result.gaps.append(Gap(place.session_id, place.where, str(error)))
        return
    name = place.session_id or _session_named(text)
    session_id = ids.get(name, name) if name else None
    if only is None or session_id in only:
        result.texts += 1
        if rules := rules_that_see(text):
            result.seen[replace(place, session_id=session_id)] += rules


def _stored(workspace: Workspace, result: Scan) -> Iterator[Text]:
    """Yield all texts; those at a tip come before earlier versions."""
    for place, texts in _places(workspace):
        try:
            yield from texts
        except (GitmemError, OSError) as error:
            result.gaps.append(Gap(None, place, str(error)))


def _places(workspace: Workspace) -> Iterator[tuple[Where, Iterator[Text]]]:
    for kind in KINDS.values():
        place = Where.CONVERSATION if kind is CONVERSATION else Where.DOCUMENT
        seen_blobs: set[Oid] = set()
        yield place, _now(workspace, kind, place, seen_blobs)
        yield place, _earlier(workspace, kind, place, seen_blobs)
    for ref in (*refs(), notes.REF):
        yield Where.MESSAGE, _messages(workspace, ref)
    yield Where.NOTE, _notes(workspace)
    yield Where.JOURNAL, _journals(workspace)
    yield Where.DIFF, _kept_diffs(workspace)
    yield Where.COPY, _copies(workspace)
    yield Where.LOG, _log(workspace)


def _session_named(text: str) -> str | None:
    """Return the session that a commit message or note of ours names, if only one."""
    matches = _NAMED.findall(text)
    return matches[0] if len(matches) == 1 and SESSION.is_id(matches[0]) else None


def _now(
    workspace: Workspace, kind: Kind[Any], place: Where, seen_blobs: set[Oid]
) -> Iterator[Text]:
    tree = tree_at_tip(kind, workspace.repository)
    for session_id in tree.ids():
        if entry := tree.entry(session_id):
            seen_blobs.add(entry.oid)
            yield SecretLocation(session_id, place), partial(tree.content, entry)


def _earlier(
    workspace: Workspace, kind: Kind[Any], place: Where, seen_blobs: set[Oid]
) -> Iterator[Text]:
    git = workspace.repository
    if tips := [tip for ref in refs_of(git, kind) if (tip := git.resolve_ref(ref))]:
        for session_id, blob in versions(git, tips, kind):
            if blob not in seen_blobs:
                read = partial(_blob, workspace, blob, kind.most_bytes)
                yield SecretLocation(session_id, place, is_earlier=True), read


def _messages(workspace: Workspace, ref: str) -> Iterator[Text]:
    if tip := workspace.repository.resolve_ref(ref):
        for commit in workspace.repository.ancestry(tip):
            message = commit.content.partition(b"\n\n")[2]
            read = partial(message.decode, "utf-8", "replace")
            yield SecretLocation(None, Where.MESSAGE), read


def _notes(workspace: Workspace) -> Iterator[Text]:
    git = workspace.repository
    if tip := git.resolve_ref(notes.REF):
        for blob in note_versions(git, tip):
            read = partial(_blob, workspace, blob, _MOST_BYTES)
            yield SecretLocation(None, Where.NOTE), read


def _journals(workspace: Workspace) -> Iterator[Text]:
    for kind in KINDS.values():
        if kind.parent is None:
            journal = journal_of(workspace.repository.common_dir, kind)
            for name in journal.names():
                document_id = journal.position_of(name).document_id
                read = partial(_journal_text, journal, name)
                yield SecretLocation(document_id, Where.JOURNAL), read


def _kept_diffs(workspace: Workspace) -> Iterator[Text]:
    journal = workspace.store.journal
    for path in sorted((workspace.own_dir / "journal").glob(f"*{DIFF}")):
        if is_file(path):
            document_id = journal.position_of(path.stem).document_id
            yield SecretLocation(document_id, Where.DIFF), partial(_content, path)


def _copies(workspace: Workspace) -> Iterator[Text]:
    """Yield readable copies, also those of other repositories' sessions."""
    for folder in filter(is_real_folder, workspace.copy_folders()):
        for path in sorted(folder.glob("*.md")):
            if SESSION.is_id(path.stem) and path.is_file() and not path.is_symlink():
                yield SecretLocation(path.stem, Where.COPY), partial(_content, path)


def _log(workspace: Workspace) -> Iterator[Text]:
    if (log := log_path(workspace.repository.common_dir)).exists():
        yield SecretLocation(None, Where.LOG), partial(_content, log)


def _blob(workspace: Workspace, blob: Oid, most: int) -> str:
    return workspace.repository.read_blob(blob, most).decode("utf-8", "replace")


def _content(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.read(SESSION.most_bytes).decode("utf-8", "replace")


def _journal_text(journal: Journal, name: str) -> str:
    """Return the strings in lines of JSON, with their escapes decoded."""
    lines = journal.lines(name)
    return "\n".join(text for line in lines for text in _strings(_value(line)))


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
