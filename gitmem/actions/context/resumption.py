"""With which command a client goes on with the conversation of a session."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.actions.context.brief import PATH, handoff
from gitmem.actions.context.build import remembered, session_meant, where_recorded
from gitmem.actions.saving.hook_events import read_on
from gitmem.assistants.known import ASSISTANTS, PERSON, assistant_named, tool_named
from gitmem.assistants.readers import READERS
from gitmem.assistants.transcripts import Transcript
from gitmem.assistants.transcripts.transcript_files import files_in
from gitmem.documents.event import Start
from gitmem.errors import InvalidInput, NotFound
from gitmem.frozen import frozen
from gitmem.store.handoffs import Handoff, Handoffs
from gitmem.text.markdown import harmless_line
from gitmem.work_trees import repository_folders, transcript_folders
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
    id_, tool, client_id = session.session_id, session.tool, session.client_session_id
    assistant = assistant_named(tool)
    line = assistant.command_line if assistant else None
    command = line.resuming(client_id) if line else None
    if tool == PERSON:
        why = f"{id_} was saved by hand, in no conversation."
    elif line is None:
        why = f"No command is known that resumes a session of {tool}."
    elif command is None:
        why = f"{id_} has no id by which {tool} knows it."
    else:
        holds = repository_folders(workspace).holds
        held_in = _folders(workspace, tool, client_id)
        for folder in held_in:
            if folder.is_dir() and holds(str(folder)):
                return Resumption(id_, command, folder)
        why = (
            f"The conversation of {id_} is not known here: it was held on"
            " another machine, or saved without its client's id."
        )
    raise NotFound(why, hint=_HAND_OVER.format(id_))


def _folders(workspace: Workspace, tool: str, client_id: str) -> Iterator[Path]:
    """Where the client may have held the conversation, the surest first.

    Its transcript tells the very folder, hooks tell the work tree. None where neither
    knows of it.
    """
    events = workspace.store.journal.events(client_id)
    roots = [Path(event.root) for event in events if isinstance(event, Start)]
    transcript = _transcript_of(workspace, tool, client_id)
    if transcript:
        yield Path(transcript.folder)
    yield from reversed(roots)
    if transcript or roots:
        yield workspace.root


def _transcript_of(
    workspace: Workspace, tool: str, client_id: str
) -> Transcript | None:
    """Return the client's own record; its id is in the name of file or folder."""
    for reader in READERS:
        if reader.tool == tool:
            for file in files_in(transcript_folders(workspace, reader), reader.pattern):
                if client_id in f"{file.path.parent.name}/{file.path.name}":
                    records = reader.read(file.path)
                    transcripts = (r for r in records if isinstance(r, Transcript))
                    return next(transcripts, None)
    return None


@frozen
class HandedOver:
    session_id: str
    to: str
    text: str
    command: tuple[str, ...] | None
    """The command that starts the assistant with the text; None where none is known."""


def hand_over(workspace: Workspace, name: str | None, to: str) -> HandedOver:
    """Return all that `to` needs to go on with a session; see `session_meant`.

    The conversation that is given the text has that one as its parent. Raises
    InvalidInput for an assistant that is not known.
    """
    tool = tool_named(to)
    assistant = assistant_named(tool)
    if assistant is None:
        names = ", ".join(sorted(a.name for a in ASSISTANTS if a.command_line))
        raise InvalidInput(f"{to!r} is no assistant.", hint=f"Some are: {names}.")
    session = session_meant(workspace, name, even_running=True)
    read_on(workspace, session.client_session_id)
    session = workspace.current_sessions().document(session.id) or session
    record = harmless_line(where_recorded(workspace, session, tool), PATH)
    text = handoff(remembered(workspace, session), record)
    parent = session.client_session_id or session.session_id
    handed = Handoff(session.session_id, parent, workspace.now())
    with suppress(OSError):  # then its brief tells the same as the text
        Handoffs(workspace.own_dir).put(tool, workspace.root, handed)
    prompt = assistant.command_line.prompt if assistant.command_line else ()
    return HandedOver(
        session.session_id, tool, text, (*prompt, text) if prompt else None
    )
