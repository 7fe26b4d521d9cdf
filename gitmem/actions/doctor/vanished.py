"""Sessions that the memory had and lacks, and that nobody forgot.

The journal has those that were saved here; history, backups and the reflog have all.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from gitmem.actions.doctor.finding import FIX, Code, Finding, Grade, problem
from gitmem.documents.event import first_event
from gitmem.documents.session.checkpoint import apply, without_facts
from gitmem.documents.session.record import records_in
from gitmem.errors import Damaged, FormatTooNew
from gitmem.store.journal.journal import Journal
from gitmem.store.lookup import of_conversation
from gitmem.store.trees.lost_sessions import Lost, lost
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    is_conversation_forgotten,
)
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

_LOOK = f"Their journals were archived; `git reflog {REF}` lists earlier states."
_RESTORE = "`ocm restore` lists what can be brought back."
_NAMED = 20
"""Sessions that are named at most."""


def vanished(workspace: Workspace) -> Iterator[Finding]:
    try:
        memory = workspace.store.memory()
    except (Damaged, FormatTooNew):
        return  # reported of the memory itself
    if memory.commit is None:
        return
    journal = workspace.store.journal
    here = _sessions_of(journal, journals_of_vanished(workspace, memory))
    if here:
        yield _lost("", here, "lack what the journal has of them", FIX)
    with suppress(Damaged):  # reported of the objects
        git, variables = workspace.repository, workspace.environment.variables
        found = [o for o in lost(git, memory, variables) if not o.is_forgotten]
        found = [one for one in found if one.session_id not in here]
        yield from _of_earlier_states(found)
        here |= {one.session_id for one in found}
    past = (name for name in journal.past.names() if _is_gone(memory, journal, name))
    if ids := _sessions_of(journal, past) - here:
        yield _lost("past", ids, "that the journal had are gone", _LOOK)


def journals_of_vanished(workspace: Workspace, memory: SessionTree) -> list[str]:
    """Return the journals from which lost sessions can be replayed.

    Archived journals cannot: they keep no checkpoints.
    """
    journal = workspace.store.journal
    return [
        name
        for name in journal.names()
        if journal.past.get(name) is None
        and journal.position_of(name).offset
        and (_is_gone(memory, journal, name) or _is_behind(memory, journal, name))
    ]


def _lost(about: str, ids: Collection[str], what: str, mend: str) -> Finding:
    named = listed(sorted(ids), _NAMED)
    what = f"{counted(len(ids), 'session')} {what}: {named}"
    return problem(Code.VANISHED, what, mend, about)


def _sessions_of(journal: Journal, names: Iterable[str]) -> set[str]:
    return {journal.position_of(name).document_id or "" for name in names}


def _of_earlier_states(found: Sequence[Lost]) -> Iterator[Finding]:
    gone = [one for one in found if not one.is_here]
    for source in dict.fromkeys(one.source for one in gone):
        ids = [one.session_id for one in gone if one.source is source]
        yield _lost(source, ids, f"that the {source} has are gone", _RESTORE)
    if ids := [one.session_id for one in found if one.is_here]:
        shortened = _lost("shortened", ids, "lack what earlier states have", _RESTORE)
        yield replace(shortened, grade=Grade.WARNING)


def _is_gone(memory: SessionTree, journal: Journal, name: str) -> bool:
    """Whether its session was not renamed either, as merging may do."""
    marked, lines = journal.position_of(name).document_id, journal.lines(name)
    if marked is None or memory.entry(marked) or is_forgotten(memory, marked):
        return False
    first = first_event(lines) or next(records_in(lines), None)
    if first is None or is_conversation_forgotten(
        memory, first.tool, first.client_session_id
    ):
        return False
    return of_conversation(memory, first.client_session_id, marked[:10]) is None


def _is_behind(memory: SessionTree, journal: Journal, name: str) -> bool:
    """Whether the last checkpoint was never applied: it would have left its time."""
    mark = journal.position_of(name)
    session = memory.readable(mark.document_id) if mark.document_id else None
    lines = [each.line for each in journal.entries(name) if 0 < each.end <= mark.offset]
    last = next(records_in(reversed(lines)), None)
    if session is None or last is None or last.checkpoint.at <= session.updated_at:
        return False
    return apply(session, without_facts(last.checkpoint)) != session
