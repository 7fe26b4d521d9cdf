"""Transcripts of an assistant become sessions of this repository.

Nothing notes how far an import came. It is done again: what is in already is found by
the assistant's own id of the conversation, and nothing is written twice.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from gitmem.actions.importing.batch import Batch, Known
from gitmem.actions.importing.derive_session import Derived, derived, is_of_our_time
from gitmem.actions.importing.import_report import Report
from gitmem.actions.installing.present import work_trees
from gitmem.actions.maintenance import run_maintenance
from gitmem.actions.saving.checkpoint import capture
from gitmem.assistants.known import ASSISTANTS
from gitmem.assistants.specstory import SPECSTORY
from gitmem.assistants.transcripts import Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.in_repository import Here
from gitmem.assistants.transcripts.transcript_files import (
    SIZE_LIMIT,
    TranscriptFile,
    files_in,
    kept_file,
    require_there,
)
from gitmem.config import CONVERSATIONS_SETTING
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.event import Trigger, forked_at
from gitmem.documents.names import clean_client_id
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace

READERS: tuple[TranscriptReader, ...] = (
    *(load() for each in ASSISTANTS if (load := each.reader)),
    SPECSTORY,
)


def reader_named(tool: str) -> TranscriptReader:
    """Return the reader of a tool. Raises InvalidInput for no reader."""
    for reader in READERS:
        if reader.tool == tool:
            return reader
    known = ", ".join(reader.tool for reader in READERS)
    raise InvalidInput(
        f"There is no reader for transcripts of {tool!r}.", hint=f"There are: {known}."
    )


@frozen(kw_only=True)
class Wanted:
    reader: TranscriptReader
    paths: Sequence[Path] = ()
    """Files and folders; empty for where the assistant keeps them."""
    moved_from: Sequence[Path] = ()
    """Former folders of this repository."""
    since: datetime | None = None
    """Aware; leaves out what ended earlier."""
    is_dry: bool = False


def wanted_files(workspace: Workspace, wanted: Wanted) -> list[TranscriptFile]:
    """Return the files to read, oldest first. Raises NotFound for a missing path."""
    require_there(wanted.paths)
    places = wanted.paths or kept_in(workspace, wanted.reader, wanted.moved_from)
    return [
        file
        for file in files_in(places, wanted.reader.pattern)
        if wanted.since is None or file.changed_at >= wanted.since
    ]


def kept_in(
    workspace: Workspace, reader: TranscriptReader, moved_from: Sequence[Path] = ()
) -> list[Path]:
    """Return where the assistant keeps conversations held in the work trees."""
    environment = workspace.environment
    roots = [*_roots(workspace), *(path.absolute() for path in moved_from)]
    found = reader.places(environment.user_home, environment.variables, roots)
    return list(dict.fromkeys(found))


def keeps_conversations(workspace: Workspace) -> bool:
    return is_on(workspace.repository, CONVERSATIONS_SETTING, by_default=True)


def here_of(workspace: Workspace, moved_from: Sequence[Path] = ()) -> Here:
    return Here(_roots(workspace), moved_from, workspace.repository.is_ignored)


def bring_in(
    workspace: Workspace,
    wanted: Wanted,
    files: Sequence[TranscriptFile],
    report: Report,
    progress: Progress,
) -> None:
    """Import the files, and fill `report`.

    `progress` takes (done, total) in bytes. After an interruption memory and report are
    whole.
    """
    if not wanted.is_dry:
        workspace.current_sessions()
    importing = _Import(workspace, wanted, report)
    total = sum(file.size for file in files)
    for file in files:
        progress(report.size, total)
        importing.take(file)
    importing.finish()
    if not wanted.is_dry:
        run_maintenance(workspace)


class _Import:
    def __init__(self, workspace: Workspace, wanted: Wanted, report: Report) -> None:
        self._workspace = workspace
        self._wanted = wanted
        self._report = report
        self._here = here_of(workspace, wanted.moved_from)
        self._known = Known(workspace)
        self._batch = Batch(workspace.store, self._known, report.sessions.append)
        self._keeps_conversations = keeps_conversations(workspace)

    def take(self, file: TranscriptFile) -> None:
        for found in _read(self._reader_of(file), file):
            if isinstance(found, Unread):
                self._report.note_unread(file.path, found)
            else:
                self._take_transcript(found, file.path)
        self._report.files += 1
        self._report.size += file.size
        self._batch.note_read(file.size)

    def finish(self) -> None:
        self._batch.save()

    def _reader_of(self, file: TranscriptFile) -> TranscriptReader:
        session = self._known.session_of(clean_client_id(file.path.stem))
        forked = session.started_at if session and session.parent else None
        return self._wanted.reader.since(forked)

    def _take_transcript(self, transcript: Transcript, file: Path) -> None:
        since = self._wanted.since
        if not is_of_our_time(transcript, self._workspace):
            self._report.note_unread(file, Unread("it is of a time that cannot be"))
        elif not self._here.holds(transcript.folder):
            self._report.elsewhere[transcript.folder] += 1
        elif since and self._workspace.local(transcript.ended_at) < since:
            self._report.earlier += 1
        elif found := derived(transcript, self._workspace, self._here):
            self._take_conversation(found, transcript.turns)
        else:
            self._report.passed_over += 1

    def _take_conversation(self, found: Derived, turns: Sequence[Turn]) -> None:
        if self._wanted.is_dry:
            self._report.sessions.append(self._batch.foreseen(found))
        else:
            self._batch.add(found, turns if self._keeps_conversations else ())


def _roots(workspace: Workspace) -> list[Path]:
    return [each.root.resolve() for each in work_trees(workspace, ())]


def _read(
    reader: TranscriptReader, file: TranscriptFile
) -> Iterator[Transcript | Unread]:
    if file.size > SIZE_LIMIT:
        yield Unread(f"it has more than {SIZE_LIMIT:,} bytes")
        return
    try:
        yield from reader.read(file.path)
    except OSError as error:
        yield Unread(error.strerror or "it cannot be opened")


@frozen
class Named:
    tool: str
    client_session_id: str
    transcript: str
    """A hostile path; "" for none."""


def save(workspace: Workspace, named: Named, trigger: Trigger) -> None:
    """Save a conversation that hooks saw, and what was said in it.

    Without a session after that, nothing is kept.
    """
    session = capture(workspace, named.client_session_id, trigger, named.transcript)
    heard = _heard(workspace, named) if session else None
    found = derived(heard, workspace, here_of(workspace)) if heard else None
    if heard and found:
        workspace.current_sessions()
        batch = Batch(workspace.store, Known(workspace), lambda _: None)
        batch.add(found, heard.turns)
        batch.save()


def _heard(workspace: Workspace, named: Named) -> Transcript | None:
    """Return the named transcript if an import would take it."""
    reader = _reader(workspace, named)
    if not reader or not named.transcript or not keeps_conversations(workspace):
        return None
    file = kept_file(named.transcript, kept_in(workspace, reader), reader.pattern)
    with suppress(OSError):  # gone meanwhile
        for found in reader.read(file) if file else ():
            if isinstance(found, Transcript) and _is_of(found, named):
                is_here = here_of(workspace).holds(found.folder)
                return found if is_here and is_of_our_time(found, workspace) else None
    return None


def _is_of(transcript: Transcript, named: Named) -> bool:
    return clean_client_id(transcript.client_session_id) == named.client_session_id


def _reader(workspace: Workspace, named: Named) -> TranscriptReader | None:
    reader = next((each for each in READERS if each.tool == named.tool), None)
    events = workspace.store.journal.events(named.client_session_id)
    return reader.since(forked_at(events)) if reader else None
