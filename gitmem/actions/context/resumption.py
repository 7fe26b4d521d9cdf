"""With which command a client goes on with the conversation of a session."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.actions.context.brief import handoff
from gitmem.actions.context.build import remembered, to_go_on_with, where_recorded
from gitmem.actions.context.rows import harmless_line
from gitmem.actions.importing.import_transcripts import READERS, here_of, kept_in
from gitmem.actions.reading.documents import find_session
from gitmem.actions.saving.hook_events import read_on
from gitmem.assistants.known import ASSISTANTS, PERSON, assistant_named, tool_named
from gitmem.assistants.transcripts import Transcript
from gitmem.assistants.transcripts.files import files_in
from gitmem.documents.event import Start
from gitmem.documents.session.session import Session
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.handoffs import Handoff, Handoffs
from gitmem.workspace import Workspace

_HAND_OVER = "`ocm handoff {} --to ASSISTANT` gives an assistant what it needs."


@frozen
class Resumption:
    session_id: str
    command: tuple[str, ...]
    folder: Path


def resumption(workspace: Workspace, name: str | None) -> Resumption:
    """How the session that is meant is gone on with; see `session_meant`.

    Raises NotFound where its conversation cannot be reached from here.
    """
    session = session_meant(workspace, name)
    if session.tool == PERSON:
        raise _no_way(session, f"{session.id} was saved by hand, in no conversation.")
    known = assistant_named(session.tool)
    if known is None or known.command_line is None:
        raise _no_way(
            session, f"No command is known that resumes a session of {session.tool}."
        )
    command = known.command_line.resuming(session.client_session_id)
    if command is None:
        raise _no_way(
            session, f"{session.id} has no id by which {session.tool} knows it."
        )
    holds = here_of(workspace).holds
    held_in = _folders(workspace, session)
    folder = next((f for f in held_in if f.is_dir() and holds(str(f))), None)
    if folder is None:
        raise _no_way(
            session,
            f"The conversation of {session.id} is not known here: it was held on"
            " another machine, or saved without its client's id.",
        )
    return Resumption(session.id, command, folder)


def session_meant(
    workspace: Workspace, name: str | None, *, even_running: bool = False
) -> Session:
    """The session of that name; of no name, the one that the brief goes on with.

    See find_session for errors; NotFound also where no session has work.
    """
    if name:
        session_id: str | None = find_session(workspace, name)
    else:
        session_id = to_go_on_with(workspace, even_running=even_running)
    session = workspace.store.memory().document(session_id) if session_id else None
    if session is None:
        raise NotFound(
            "No session has work to go on with.", hint="`ocm list --all` shows all."
        )
    return session


def _no_way(session: Session, why: str) -> NotFound:
    return NotFound(why, hint=_HAND_OVER.format(session.id))


def _folders(workspace: Workspace, session: Session) -> Iterator[Path]:
    """Where the client may have held the conversation, the surest first.

    Its transcript tells the very folder, hooks tell the work tree. None where neither
    knows of it.
    """
    client_id = session.client_session_id
    events = workspace.store.journal.events(client_id)
    heard = [Path(each.root) for each in events if isinstance(each, Start)]
    kept = _transcript_of(workspace, session)
    if kept:
        yield Path(kept.folder)
    yield from reversed(heard)
    if kept or heard:
        yield workspace.root


def _transcript_of(workspace: Workspace, session: Session) -> Transcript | None:
    """What the client itself keeps; its id is in the name of the file."""
    for reader in READERS:
        if reader.tool == session.tool:
            pattern = f"*{session.client_session_id}.jsonl"
            for file in files_in(kept_in(workspace, reader), pattern):
                found = reader.read(file.path)
                return next((f for f in found if isinstance(f, Transcript)), None)
    return None


_PATH = 400


@frozen
class HandedOver:
    session_id: str
    to: str
    text: str
    command: tuple[str, ...]


def hand_over(workspace: Workspace, name: str | None, to: str) -> HandedOver:
    """What the assistant `to` needs to go on with a session; see `session_meant`.

    The next conversation that it begins in this work tree has that one as its parent.
    Raises InvalidInput for an assistant that is not known.
    """
    tool = tool_named(to)
    known = assistant_named(tool)
    if known is None:
        names = ", ".join(sorted(each.name for each in ASSISTANTS if each.command_line))
        raise InvalidInput(f"{to!r} is no assistant.", hint=f"Some are: {names}.")
    session = session_meant(workspace, name, even_running=True)
    read_on(workspace, session.client_session_id)
    session = workspace.current_sessions().document(session.id) or session
    where = harmless_line(where_recorded(workspace, session.id), _PATH)
    text = handoff(remembered(workspace, session), where)
    parent = session.client_session_id or session.id
    with suppress(OSError):  # then nothing links the two
        Handoffs(workspace.own_dir).put(
            tool, workspace.root, Handoff(parent, workspace.now())
        )
    command = known.command_line.prompt if known.command_line else ()
    return HandedOver(session.id, tool, text, command)
