"""Whose fork a conversation is, where its client does not say so.

The transcript of a fork begins with a copy of its parent's, message by message. So the
parent is the conversation that was there when the last of these was written, and whose
transcript has it.
"""

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

from gitmem.actions.saving.transcript import transcript_of
from gitmem.assistants.transcripts.claude_code import CLAUDE_CODE
from gitmem.model.event import Event, Fork, events_in, forked_at
from gitmem.store.local.journal import journal_name
from gitmem.workspace import Workspace

_RECENT = 50
"""How many journals, the last written ones, are looked at."""


def note_parent(workspace: Workspace, client_session_id: str) -> None:
    """Note of a fork whose it is, once; nothing where that cannot be found."""
    journal = workspace.store.journal
    own = journal_name(client_session_id)
    events = events_in(journal.lines(own))
    began = forked_at(events)
    if began is None or any(isinstance(each, Fork) for each in events):
        return
    file = _file(workspace, events)
    copied = replace(CLAUDE_CODE, since=began).last_copied(file) if file else None
    if copied is None:
        return
    name, said_at = copied
    for other in islice(journal.newest_first(), _RECENT):
        known = events_in(journal.lines(other)) if other != own else []
        if known and known[0].at <= said_at and _has(_file(workspace, known), name):
            newest, parent = events[-1], known[0].client_session_id
            journal.note(
                Fork(
                    at=workspace.now(),
                    tool=newest.tool,
                    client_session_id=client_session_id,
                    root=newest.root,
                    parent=parent,
                )
            )
            return


def _file(workspace: Workspace, events: list[Event]) -> Path | None:
    environment = workspace.environment
    return transcript_of(events, environment.user_home, environment.variables)


def _has(file: Path | None, message: str) -> bool:
    needle = message.encode()
    with suppress(OSError):  # gone meanwhile
        if file:
            with file.open("rb") as lines:
                return any(needle in line for line in lines)
    return False
