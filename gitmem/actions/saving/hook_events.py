"""What hooks saw of conversations, so that each is given what it did and no more.

With what git says as one begins: only what comes later is its own.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from math import inf
from typing import TypeVar

from gitmem.actions.saving.live_transcript import (
    MOST_PARTS,
    event_of,
    read_part,
    transcript_of,
)
from gitmem.assistants.known import reader_of
from gitmem.config import CONVERSATIONS_SETTING
from gitmem.documents.event import (
    Client,
    Connected,
    End,
    Event,
    Fork,
    Interrupted,
    WorkTreeState,
)
from gitmem.documents.event_log import (
    events_in,
    from_json,
    newest_sign,
    touched_work_trees,
)
from gitmem.documents.names import clean_client_id
from gitmem.errors import Damaged, NoPermission
from gitmem.git.config import is_on
from gitmem.git.files import changed_at
from gitmem.git.work_tree import changes_since, rebased_branch
from gitmem.processes import is_gone
from gitmem.workspace import Workspace

F = TypeVar("F", bound=WorkTreeState)

RECENT = 50
"""How many journals, the last written ones, are looked at."""
FILES_LIMIT = 1000
"""Above this many changed files no paths are recorded: that is no one's own work."""
OPEN_TIME = timedelta(hours=12)
"""So long after its last event a conversation that did not end may still go on."""


def keeps_conversations(workspace: Workspace) -> bool:
    return is_on(workspace.repository, CONVERSATIONS_SETTING, by_default=True)


def note_work_tree_state(
    workspace: Workspace, client_session_id: str, tool: str
) -> None:
    workspace.store.journal.note(
        work_tree_state(workspace, WorkTreeState, client_session_id, tool)
    )


def work_tree_state(
    workspace: Workspace,
    kind: type[F],
    client_session_id: str,
    tool: str,
    since: float = inf,
) -> F:
    """Branch, HEAD, and what differs from it, as an event of the conversation.

    What was changed at `since`, in seconds since 1970, or later, was not found.
    """
    head = workspace.repository.head()
    differing = {
        path: changed_at(workspace.root / path)
        for path in _dirty(workspace, head.commit)
    }
    dirty = {path: at for path, at in differing.items() if at < since}
    return kind(
        at=workspace.now(),
        tool=tool,
        client_session_id=client_session_id,
        root=str(workspace.root),
        branch=head.branch or rebased_branch(workspace.repository),
        head=head.commit,
        dirty=tuple(dirty),
        changed=tuple(dirty.values()),
    )


def read_on(
    workspace: Workspace,
    client_session_id: str,
    *,
    path: str = "",
    last_answer: str = "",
) -> None:
    """Note what the transcript of a conversation has since it was read last.

    `path` is the transcript's, and `last_answer` what the client told a hook. Nothing
    where the user wants no transcript to be read.
    """
    if not keeps_conversations(workspace):
        return
    for _ in range(MOST_PARTS):
        events = workspace.store.journal.events(client_session_id)
        read = events and read_part(
            workspace, events, last_answer=last_answer, path=path
        )
        if not read:
            break
        workspace.store.journal.note(read)
    _note_parent(workspace, client_session_id)


def note_interrupted(workspace: Workspace, kind: type[Event] = Event) -> list[Client]:
    """Note which conversations are over because their process is gone.

    Of those alone whose last sign is of this kind. What their transcripts have is read
    before. Gives the clients that are gone, of conversations that hooks told of.
    """
    gone_clients = []
    for newest, lines in _open_since(workspace, None):
        client = _client_in(lines) if isinstance(newest, kind) else None
        if client and is_gone(client.pid, client.started):
            read_on(workspace, client.client_session_id)
            over = event_of(client, Interrupted, workspace.now())
            workspace.store.journal.note(over)
            if not isinstance(newest, Connected):
                gone_clients.append(client)
    return gone_clients


def open_here(
    workspace: Workspace, besides: str | None = None
) -> Iterator[list[Event]]:
    """Yield events of each conversation in this work tree that may still go on.

    It was begun here, or touched files here. Its transcript is read on before, as
    nothing else tells its edits. `besides` is the client id of one that is left out.
    """
    since = workspace.now() - OPEN_TIME
    # A list first: to read on writes to the journals that are gone through.
    for newest, _ in list(_open_since(workspace, since)):
        if newest.client_session_id != besides:
            read_on(workspace, newest.client_session_id)
            events = workspace.store.journal.events(newest.client_session_id)
            if _is_here(workspace, newest, events):
                yield events


def events_of_others(
    workspace: Workspace, client_session_id: str, since: datetime
) -> Iterator[list[Event]]:
    """Events of each other conversation in this work tree with one after `since`.

    The last written first.
    """
    for newest, lines in _newest_signs(workspace, since):
        if newest.client_session_id != client_session_id:
            events = events_in(lines)
            if _is_here(workspace, newest, events):
                yield events


def newest_of_open(workspace: Workspace) -> Iterator[Event]:
    """Yield the newest event of each that was begun in this work tree, and is open."""
    root, since = str(workspace.root), workspace.now() - OPEN_TIME
    newest_events = (newest for newest, _ in _open_since(workspace, since))
    return (newest for newest in newest_events if newest.root == root)


def _is_here(workspace: Workspace, newest: Event, events: list[Event]) -> bool:
    return str(workspace.root) in (newest.root, *touched_work_trees(events))


def _note_parent(workspace: Workspace, client_session_id: str) -> None:
    """Note of which conversation a fork is one, once, where its transcript says so."""
    events = workspace.store.journal.events(client_session_id)
    file = transcript_of(workspace.environment, events) if events else None
    if file is None or any(isinstance(event, Fork) for event in events):
        return
    newest, parent = events[-1], ""
    reader = reader_of(newest.tool)
    with suppress(OSError):  # the file is gone meanwhile
        if reader and reader.parent_in:
            parent = clean_client_id(reader.parent_in(file, client_session_id) or "")
    if parent:
        fork = event_of(newest, Fork, workspace.now(), parent=parent)
        workspace.store.journal.note(fork)


def _dirty(workspace: Workspace, head: str | None) -> tuple[str, ...]:
    """Nothing where so much differs that no session would be given it either."""
    if workspace.repository.work_tree is None:
        return ()
    try:
        changes = changes_since(workspace.repository, head)
    except (Damaged, NoPermission):
        return ()
    return tuple(c.path for c in changes) if len(changes) <= FILES_LIMIT else ()


def _client_in(lines: Sequence[str]) -> Client | None:
    events = map(from_json, reversed(lines))
    return next((event for event in events if isinstance(event, Client)), None)


def _open_since(
    workspace: Workspace, since: datetime | None
) -> Iterator[tuple[Event, list[str]]]:
    signs = _newest_signs(workspace, since)
    return (sign for sign in signs if not isinstance(sign[0], End | Interrupted))


def _newest_signs(
    workspace: Workspace, since: datetime | None
) -> Iterator[tuple[Event, list[str]]]:
    """The last event and the lines of each journal; there may be megabytes of them."""
    for name in islice(workspace.store.journal.newest_first(), RECENT):
        lines = workspace.store.journal.lines(name)
        newest = newest_sign(lines)
        if newest and (since is None or newest.at >= since):
            yield newest, lines
