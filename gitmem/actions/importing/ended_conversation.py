"""A conversation that hooks saw is kept as soon as it ends, and not by an import alone.

The hook is told where the transcript lies, by whoever ran it. So read is only what an
import would have found by itself, and of that only the very conversation.
"""

from dataclasses import replace
from pathlib import Path

from gitmem.actions.importing.batch import Batch
from gitmem.actions.importing.derive_session import Derived, derived, is_of_our_time
from gitmem.actions.importing.import_transcripts import (
    here_of,
    keeps_conversations,
    kept_in,
)
from gitmem.actions.importing.imported_before import Known
from gitmem.actions.saving.capture import capture
from gitmem.assistants.claude_code.transcripts import CLAUDE_CODE
from gitmem.assistants.readers import READERS
from gitmem.assistants.transcripts.files import kept_file
from gitmem.assistants.transcripts.transcript import Transcript, TranscriptReader
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.event import Trigger, forked_at
from gitmem.documents.names import clean_client_id
from gitmem.frozen import frozen
from gitmem.workspace import Workspace


@frozen
class Named:
    """What a hook was told of a conversation."""

    tool: str
    client_session_id: str
    """Clean."""
    transcript: str
    """The path of a file, not to be believed; "" for none."""


def save(workspace: Workspace, named: Named, trigger: Trigger) -> None:
    """Save what is known of a conversation that hooks saw, and what was said in it.

    Of a conversation that has no session after that, nothing is kept.
    """
    session = capture(workspace, named.client_session_id, trigger, named.transcript)
    heard = _heard(workspace, named) if session else None
    if heard:
        _complete(workspace, heard)


@frozen
class _Heard:
    """A conversation as its transcript has it."""

    derived: Derived
    turns: tuple[Turn, ...]


def _heard(workspace: Workspace, named: Named) -> _Heard | None:
    """None where an import would take nothing, or leave it to another repository."""
    reader = _reader(workspace, named)
    if not reader or not named.transcript or not keeps_conversations(workspace):
        return None
    file = _file(workspace, reader, named.transcript)
    transcript = _transcript(reader, file, named.client_session_id) if file else None
    here = here_of(workspace)
    if not transcript or not here.holds(transcript.folder):
        return None
    if not is_of_our_time(transcript, workspace):
        return None
    found = derived(transcript, workspace, here)
    return _Heard(found, transcript.turns) if found else None


def _reader(workspace: Workspace, named: Named) -> TranscriptReader | None:
    """Of a fork nothing is read but what came after its parent's."""
    if named.tool == CLAUDE_CODE.tool:
        events = workspace.store.journal.events(named.client_session_id)
        return replace(CLAUDE_CODE, since=forked_at(events))
    return next((each for each in READERS if each.tool == named.tool), None)


def _complete(workspace: Workspace, heard: _Heard) -> None:
    workspace.current_sessions()
    batch = Batch(workspace.store, Known(workspace), lambda _: None)
    batch.add(heard.derived, heard.turns)
    batch.save()


def _file(workspace: Workspace, reader: TranscriptReader, named: str) -> Path | None:
    """The file with this name where an import would find it and read it."""
    return kept_file(named, kept_in(workspace, reader), reader.pattern)


def _transcript(
    reader: TranscriptReader, file: Path, client_session_id: str
) -> Transcript | None:
    try:
        for found in reader.read(file):
            if (
                isinstance(found, Transcript)
                and clean_client_id(found.client_session_id) == client_session_id
            ):
                return found
    except OSError:  # gone meanwhile
        pass
    return None
