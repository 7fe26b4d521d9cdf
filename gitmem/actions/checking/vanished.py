"""Journals whose sessions the memory does not have, though they were drained."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from gitmem.errors import Damaged, FormatTooNew
from gitmem.model import event as events
from gitmem.model import record as records
from gitmem.model.counting import counted
from gitmem.model.event import Event
from gitmem.model.finding import FIX, Code, Finding, Grade
from gitmem.model.record import Record
from gitmem.store.local.journal import Journal
from gitmem.store.naming import of_conversation
from gitmem.store.trees.forgotten import is_forgotten, is_id_forgotten
from gitmem.store.trees.memory import REF, Memory
from gitmem.workspace import Workspace

_LOOK = f"Their journals were put away; `git reflog {REF}` lists earlier states."


def vanished(workspace: Workspace) -> Iterator[Finding]:
    try:
        memory = workspace.store.memory()
    except (Damaged, FormatTooNew):
        return  # that is told of the memory itself
    if memory.commit is None:
        return
    journal, lost = workspace.store.journal, list(_vanished(workspace, memory))
    here = [each for each in lost if journal.past.get(each) is None]
    for names, mend in ((here, FIX), ([n for n in lost if n not in here], _LOOK)):
        if ids := [each for n in names if (each := journal.mark_of(n).session_id)]:
            yield Finding(
                code=Code.VANISHED,
                grade=Grade.PROBLEM,
                about="" if mend is FIX else "past",
                what=f"{counted(len(ids), 'session')} that the journal knows of"
                f" vanished from the memory: {', '.join(ids)}",
                mend=mend,
                is_mendable=mend is FIX,
            )


def journals_of_vanished(workspace: Workspace, memory: Memory) -> list[str]:
    """Names of journals drained into sessions that nobody forgot, and that are gone.

    But for those that were put away: these do not say again what is lost.
    """
    past = workspace.store.journal.past
    return [n for n in _vanished(workspace, memory) if past.get(n) is None]


def _vanished(workspace: Workspace, memory: Memory) -> Iterator[str]:
    journal = workspace.store.journal
    for name in journal.names():
        mark = journal.mark_of(name)
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


def _is_gone(memory: Memory, marked: str | None, journal: Journal, name: str) -> bool:
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
