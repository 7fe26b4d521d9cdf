"""What others forget or replace, held back until the user decides.

Anybody who may push can write a tombstone. So none removes what was begun in this
clone, or has changes of this clone that were never sent, nor more than a few sessions
at once: these stay here, while the remote and everything else go on as if the user had
agreed. So does a memory that was first said here, if somebody whom `ocm.trust` does not
name supersedes it. What others did is noted until a command reports it, as hooks report
nothing.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from gitmem.documents.authors import Trust, address_in
from gitmem.documents.kind import Kind
from gitmem.documents.session.identity import conversation_subject
from gitmem.documents.session.record import owner_in
from gitmem.frozen import frozen
from gitmem.git.files import read_value, write_value
from gitmem.git.layout import own_dir
from gitmem.git.repository import Repository
from gitmem.store.journal.journal import Journal, journal_of
from gitmem.store.remote.merge_sides import Sides
from gitmem.store.trees.committing import configured_trust
from gitmem.store.trees.tombstones import paths_of, subject_path, tombstone_path

D = TypeVar("D")
MOST_AT_ONCE = 20
"""Sessions begun elsewhere that others may forget here without being asked about."""

_AT_ONCE = timedelta(minutes=1)
"""So much later than its session began is the first that is heard of it."""
_MOST_IDS = 1000
"""Ids that are kept of each kind."""


@frozen
class Held:
    """What others forgot of one session, and is still here."""

    session_id: str
    paths: frozenset[str]
    """Paths of the tombstones."""
    is_own: bool
    """True if the session began here, or has changes that were never sent from here;
    else too many came at once."""
    items: int
    """How many items of its document; none where it is the session."""
    is_ended: bool = False
    """True if it was replaced or rejected, not forgotten."""


@frozen
class Consent:
    """Which sessions others may forget here."""

    journal: Journal
    """It has the sessions that were begun in this clone."""
    trust: Trust
    """Whose memories may replace those of this clone."""
    accepted: Container[str] = frozenset()
    """Ids of sessions that the user agreed to forget."""
    waiting: Container[str] = ()
    """Ids of sessions that are held back already."""

    def withheld(self, sides: Sides[D]) -> tuple[Held, ...]:
        """Return what is held back, by ids.

        Raises Damaged where git cannot read a document.
        """
        new = frozenset(filter(sides.is_newly_in_force, sides.records))
        if not (new or sides.ended):
            return ()
        known_documents = _known_here(self.journal)
        removals = (
            *self._ended(sides, known_documents),
            *_without_document(sides, new, known_documents),
            *_of_documents(sides, new, known_documents),
        )
        held_by_id = {removal.session_id: removal for removal in removals}
        is_many = (
            sum(not removal.is_own for removal in held_by_id.values()) > MOST_AT_ONCE
        )
        return tuple(
            removal
            for session_id, removal in sorted(held_by_id.items())
            if session_id not in self.accepted
            and (removal.is_own or is_many or session_id in self.waiting)
        )

    def _ended(
        self, sides: Sides[D], known_documents: Mapping[str, "_Known"]
    ) -> Iterator[Held]:
        """Yield what others replaced or rejected who are not trusted."""
        kind = sides.ours.kind
        for document_id, document in sides.ended.items():
            began, names = kind.began_at(document), paths_of(kind, document)
            is_own = any(
                known_documents[path].began(began)
                for path in names
                if path in known_documents
            )
            if is_own and not self._is_trusted(sides, document):
                yield Held(
                    document_id, frozenset(), is_own=True, items=0, is_ended=True
                )

    def _is_trusted(self, sides: Sides[D], document: D) -> bool:
        """Whether whoever said a document first, or is trusted, replaced it."""
        successors = sides.ours.kind.successors(document)
        authors = [
            _author(sides, sides.theirs.readable(successor)) for successor in successors
        ]
        first = address_in(_author(sides, document))
        trusted = self.trust.trusted | {first} if first else self.trust.trusted
        trust = replace(self.trust, trusted=trusted)
        return bool(authors) and all(map(trust.covers, authors))


@frozen
class Unsaid:
    """What others deleted and no command reported yet."""

    remote: str = ""
    lost: tuple[str, ...] = ()
    """Ids of sessions that the remote had no more, or had less of; all is kept here."""
    held: tuple[str, ...] = ()
    """Ids of sessions that others forgot, and that wait for the user's decision."""
    is_held_said: bool = False


def read_unsaid(folder: Path) -> Unsaid:
    return read_value(folder / "unsaid.json", Unsaid) or Unsaid()


def write_unsaid(folder: Path, unsaid: Unsaid) -> None:
    """Write the file; where that fails, nothing else does."""
    file = folder / "unsaid.json"
    with suppress(OSError):
        if unsaid.lost or unsaid.held:
            write_value(file, unsaid)
        else:
            file.unlink(missing_ok=True)


def note_unsaid(
    folder: Path, remote: str, lost: Iterable[str], held: Iterable[str]
) -> None:
    """Add ids of sessions that were lost at the remote, or are held back."""
    before, held = read_unsaid(folder), sorted(held)
    now = Unsaid(
        remote,
        tuple(sorted({*lost, *before.lost})[:_MOST_IDS]),
        tuple(held[:_MOST_IDS]),
        before.is_held_said and {*held} <= {*before.held},
    )
    if now != before:
        write_unsaid(folder, now)


def consent_in(
    git: Repository, kind: Kind[Any], accepted: Container[str] = ()
) -> Consent:
    """Return which documents others may forget or replace in this clone."""
    waiting = read_unsaid(own_dir(git.common_dir)).held
    own = replace(configured_trust(git), is_shared=True)
    return Consent(journal_of(git.common_dir, kind), own, accepted, waiting)


@frozen
class _Known:
    """What a journal knows of its document."""

    session_id: str
    since: datetime | None
    """When it was first heard of here; None where that is not known any more."""

    def began(self, started_at: datetime) -> bool:
        """Return whether a document that says when it began was begun in this clone.

        The id of a session has the minute as well, which nobody can change afterwards.
        """
        if self.since is None or self.since < started_at + _AT_ONCE:
            return True
        minute = self.since.astimezone(UTC).strftime("%Y-%m-%d_%H-%M")
        return self.session_id.startswith(minute)


def _known_here(journal: Journal) -> dict[str, _Known]:
    """Return documents that this clone had a part in, by paths of their tombstones.

    A journal is named after its document, or after the conversation of a session.
    """
    documents_by_path: dict[str, _Known] = {}
    for name in journal.names():
        session_id = journal.position_of(name).document_id
        first = owner_in(journal.lines(name))
        document = _Known(session_id or name, first.at if first else None)
        subject = name
        if first:
            subject = conversation_subject(first.tool, first.client_session_id)
        if subject:
            documents_by_path[subject_path(subject)] = document
        if session_id:
            documents_by_path[subject_path(session_id)] = document
    return documents_by_path


def _author(sides: Sides[D], document: D | None) -> str:
    entry = sides.ours.kind.entry(document) if document else None
    return entry.author if entry else ""


def _of_documents(
    sides: Sides[D], new: frozenset[str], known_documents: Mapping[str, _Known]
) -> Iterator[Held]:
    """Yield what would be forgotten of the documents that differ."""
    kind = sides.ours.kind
    for document_id in sides.difference.texts:
        if file := sides.ours.entry(document_id):
            document = kind.parse(document_id, sides.ours.content(file))
            began, names = kind.began_at(document), paths_of(kind, document)
            items = {subject_path(subject) for subject, _ in kind.items(document)}
            is_whole = tombstone_path(kind, document) in new
            if is_whole or not items.isdisjoint(new):
                parts_here = [known_documents[p] for p in names if p in known_documents]
                is_unsent = is_whole and sides.last_theirs.entry(document_id) != file
                yield Held(
                    document_id,
                    new.intersection((*names, *items)),
                    is_own=any(part.began(began) or is_unsent for part in parts_here),
                    items=0 if is_whole else len(items & new),
                )


def _without_document(
    sides: Sides[D], new: frozenset[str], known_documents: Mapping[str, _Known]
) -> Iterator[Held]:
    """Yield what would be forgotten of sessions that only the journal has."""
    paths: dict[str, set[str]] = {}
    for path in new & known_documents.keys():
        if sides.ours.entry(known_documents[path].session_id) is None:
            paths.setdefault(known_documents[path].session_id, set()).add(path)
    for session_id, session_paths in paths.items():
        yield Held(session_id, frozenset(session_paths), is_own=True, items=0)
