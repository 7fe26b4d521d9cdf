"""Sessions that the memory had and lacks, though nobody forgot them.

The journal knows of those that were saved here; earlier states know of all, as far as
history, backups and the reflog have them.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import chain

from gitmem.actions.doctor.finding import FIX, Code, Finding, Grade
from gitmem.documents.session import event as events
from gitmem.documents.session import record as records
from gitmem.documents.session.checkpoint import Checkpoint, apply, without_facts
from gitmem.documents.session.event import Event
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, FormatTooNew
from gitmem.store.journal.journal import Journal
from gitmem.store.lookup import of_conversation
from gitmem.store.trees.earlier_states import Source
from gitmem.store.trees.lost_sessions import Lost, lost
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.store.trees.tombstones import is_forgotten, is_id_forgotten
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

_LOOK = f"Their journals were put away; `git reflog {REF}` lists earlier states."
_RESTORE = "`ocm restore` lists what can be brought back."
_NAMED = 20
"""Sessions that are named at most."""
_SOURCES = {
    Source.HISTORY: f"earlier commits of {REF} have",
    Source.BACKUP: "a backup has",
    Source.REFLOG: f"{REF} had before it was set back",
}


def vanished(workspace: Workspace) -> Iterator[Finding]:
    try:
        memory = workspace.store.memory()
    except (Damaged, FormatTooNew):
        return  # that is told of the memory itself
    if memory.commit is None:
        return
    journal, gone = workspace.store.journal, list(_vanished(workspace, memory))
    marked = {name: journal.position_of(name).session_id or "" for name in gone}
    here = {marked[name] for name in gone if journal.past.get(name) is None}
    yield from _of_journals(here, "", FIX)
    with suppress(Damaged):  # that objects are missing is told of itself
        found = _unforgotten(workspace, memory, here)
        yield from _of_earlier_states(found)
        here.update(each.session_id for each in found)
    yield from _of_journals({*marked.values()} - here, "past", _LOOK)
    behind = {
        journal.position_of(n).session_id or "" for n in _behind(workspace, memory)
    }
    if behind:
        yield Finding(
            code=Code.VANISHED,
            grade=Grade.PROBLEM,
            about="behind",
            what=f"{counted(len(behind), 'session')} lack what was saved in them:"
            f" {listed(sorted(behind), _NAMED)}",
            mend=FIX,
            is_mendable=True,
        )


def journals_of_vanished(workspace: Workspace, memory: SessionTree) -> list[str]:
    """Names of journals replayed into sessions that nobody forgot, and that are gone.

    Or that lack what was acknowledged. But for those that were put away: these do not
    say again what is lost.
    """
    past = workspace.store.journal.past
    gone = [n for n in _vanished(workspace, memory) if past.get(n) is None]
    return [*gone, *_behind(workspace, memory)]


def _of_journals(ids: Collection[str], about: str, mend: str) -> Iterator[Finding]:
    if ids:
        yield Finding(
            code=Code.VANISHED,
            grade=Grade.PROBLEM,
            about=about,
            what=f"{counted(len(ids), 'session')} that the journal knows of"
            f" vanished from the memory: {listed(sorted(ids), _NAMED)}",
            mend=mend,
            is_mendable=mend is FIX,
        )


def _unforgotten(
    workspace: Workspace, memory: SessionTree, known: Collection[str]
) -> list[Lost]:
    git, variables = workspace.repository, workspace.environment.variables
    found = lost(git, memory, variables)
    return [o for o in found if not o.is_forgotten and o.session_id not in known]


def _of_earlier_states(found: Sequence[Lost]) -> Iterator[Finding]:
    for source, where in _SOURCES.items():
        of_source = [one for one in found if one.source is source]
        if ids := [one.session_id for one in of_source if not one.is_here]:
            yield Finding(
                code=Code.VANISHED,
                grade=Grade.PROBLEM,
                about=source,
                what=f"{counted(len(ids), 'session')} that {where} vanished from the"
                f" memory: {listed(ids, _NAMED)}",
                mend=_RESTORE,
            )
    if ids := [one.session_id for one in found if one.is_here]:
        yield Finding(
            code=Code.VANISHED,
            grade=Grade.WARNING,
            about="shortened",
            what=f"{counted(len(ids), 'session')} lack what earlier states have of"
            f" them: {listed(ids, _NAMED)}",
            mend=_RESTORE,
        )


def _behind(workspace: Workspace, memory: SessionTree) -> Iterator[str]:
    """Names of journals whose last checkpoint is in the memory no more."""
    journal = workspace.store.journal
    for name in journal.names():
        mark = journal.position_of(name)
        session = memory.readable(mark.session_id) if mark.session_id else None
        made = _last_drained(journal, name) if session else None
        if session and made and _lacks(session, made):
            yield name


def _lacks(session: Session, made: Checkpoint) -> bool:
    """Whether a checkpoint was never applied: it would have left its time."""
    is_newer = made.at > session.updated_at
    return is_newer and apply(session, without_facts(made)) != session


def _last_drained(journal: Journal, name: str) -> Checkpoint | None:
    offset = journal.position_of(name).offset
    lines = [each.line for each in journal.entries(name) if 0 < each.end <= offset]
    made = (records.checkpoints_in([line]) for line in reversed(lines))
    return next(chain.from_iterable(made), None)


def _vanished(workspace: Workspace, memory: SessionTree) -> Iterator[str]:
    journal = workspace.store.journal
    for name in journal.names():
        mark = journal.position_of(name)
        is_drained = mark.offset > 0 or journal.past.get(name) is not None
        if is_drained and _is_gone(memory, mark.session_id, journal, name):
            yield name


def _first_known(lines: Sequence[str]) -> Event | Record | None:
    """The first line of a journal that says whose it is."""
    for line in lines:
        with suppress(FormatTooNew):
            if found := events.from_json(line) or records.from_json(line):
                return found
    return None


def _is_gone(
    memory: SessionTree, marked: str | None, journal: Journal, name: str
) -> bool:
    """Whether it was not renamed either, as merging may do."""
    if marked is None or memory.entry(marked) or is_id_forgotten(memory, marked):
        return False
    first = _first_known(journal.lines(name))
    if first is None:
        return False
    client_id = first.client_session_id
    if is_forgotten(memory, first.tool, client_id):
        return False
    return of_conversation(memory, client_id, marked[:10]) is None
