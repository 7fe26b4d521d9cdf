"""Import transcripts of assistants as sessions of this repository.

An interrupted import is run again: what is imported already is found by the
assistant's own id of the conversation, and not written twice.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from gitmem.actions.importing.batch import Batch, ImportReport, Known
from gitmem.actions.importing.derive_session import Derived, derived, is_of_our_time
from gitmem.actions.importing.removed_work_trees import edits_in, removed_trees
from gitmem.actions.maintenance import run_maintenance
from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.hook_events import keeps_conversations
from gitmem.actions.saving.live_transcript import transcript_of_events
from gitmem.assistants.known import reader_of
from gitmem.assistants.transcripts import Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.assistants.transcripts.transcript_files import (
    SIZE_LIMIT,
    TranscriptFile,
    find_transcript,
    require_there,
    transcripts_in,
)
from gitmem.documents.event import Trigger
from gitmem.documents.event_log import forked_at
from gitmem.documents.names import clean_client_id
from gitmem.frozen import frozen
from gitmem.store.session_store import SessionStore
from gitmem.text.counting import Progress
from gitmem.work_trees import repository_folders, transcript_folders
from gitmem.workspace import Workspace


@frozen(kw_only=True)
class ImportRequest:
    reader: TranscriptReader
    paths: Sequence[Path] = ()
    """Files and folders; empty for where the assistant keeps them."""
    moved_from: Sequence[Path] = ()
    """Former folders of this repository."""
    since: datetime | None = None
    """Aware; leaves out what ended earlier."""
    rehearsal: SessionStore | None = None
    """Where to import to instead, so that nothing is written."""

    def names(self, file: Path) -> bool:
        return file in [path.resolve() for path in self.paths]


def wanted_files(workspace: Workspace, wanted: ImportRequest) -> list[TranscriptFile]:
    """Return the files to read, oldest first. Raises NotFound for a missing path."""
    require_there(wanted.paths)
    places = wanted.paths or transcript_folders(
        workspace, wanted.reader, wanted.moved_from
    )
    return [
        file
        for file in transcripts_in(places, wanted.reader)
        if wanted.since is None or file.changed_at >= wanted.since
    ]


def bring_in(
    workspace: Workspace,
    wanted: ImportRequest,
    files: Sequence[TranscriptFile],
    report: ImportReport,
    progress: Progress,
) -> None:
    """Import the files, and fill `report`.

    `progress` takes (done, total) in bytes. After an interruption memory and report are
    whole.
    """
    workspace.current_sessions()
    store = wanted.rehearsal or workspace.store
    coming = {clean_client_id(file.path.stem) for file in files}
    here, known = (
        repository_folders(workspace, wanted.moved_from),
        Known(workspace, coming, store),
    )
    batch = Batch(store, known, report.sessions.append)
    keeps_said = keeps_conversations(workspace)
    total = sum(file.size for file in files)
    for file in files:
        progress(report.size, total)
        session = known.session_of(clean_client_id(file.path.stem))
        forked = session.started_at if session and session.parent else None
        for read in _read(wanted.reader.since(forked), file):
            if isinstance(read, Unread):
                report.note_unread(file.path, read)
                continue
            own = known.without_copy(read)
            if found := _accepted(known, wanted, here, own, file.path, report):
                batch.add(found, own.turns if keeps_said else ())
        report.files += 1
        report.size += file.size
        batch.note_read(file.size)
    batch.save()
    if not wanted.rehearsal:
        run_maintenance(workspace)


def _accepted(
    known: Known,
    wanted: ImportRequest,
    here: RepositoryFolders,
    read: Transcript,
    file: Path,
    report: ImportReport,
) -> Derived | None:
    """Return the session of a transcript, or count in `report` why there is none."""
    workspace = known.workspace
    by_place = folder_by_place(wanted.reader, here, file)
    folder = read.folder or by_place or _folder_if_named(wanted, here, file)
    read = replace(read, folder=folder)
    trees = removed_trees(here, read, workspace.repository)
    here = here.joined(tree for tree, is_ours in trees.items() if is_ours)
    if not is_of_our_time(read, workspace):
        report.note_unread(file, Unread("it is of a time that cannot be"))
    elif not here.holds(folder):
        report.elsewhere[folder] += 1
    elif wanted.since and workspace.local(read.ended_at) < wanted.since:
        report.earlier += 1
    elif (found := derived(read, workspace, here)) is None:
        report.passed_over += 1
    elif known.is_of_program(found) and not wanted.names(file):
        report.programs += 1
    else:
        for tree in (tree for tree, is_ours in trees.items() if not is_ours):
            report.left_out[str(tree)] += len(edits_in(tree, read))
        return found
    return None


def folder_by_place(
    reader: TranscriptReader, here: RepositoryFolders, file: Path
) -> str:
    """Return the work tree that a file is kept for, "" if its place does not say."""
    is_of = reader.is_of
    return next((str(root) for root in here.roots if is_of and is_of(file, root)), "")


def _folder_if_named(wanted: ImportRequest, here: RepositoryFolders, file: Path) -> str:
    """Return the work tree that the user named a file of one conversation for."""
    is_named = wanted.names(file) and not wanted.reader.session_folders
    return str(here.roots[0]) if is_named else ""


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


def save(
    workspace: Workspace, tool: str, client_id: str, transcript: str, trigger: Trigger
) -> None:
    """Save a conversation that hooks saw, and what was said in it.

    `transcript` is a hostile path, "" for none. Without a session, nothing is kept.
    """
    session = capture(workspace, client_id, trigger, transcript)
    read = _transcript_of(workspace, tool, client_id, transcript) if session else None
    found = derived(read, workspace, repository_folders(workspace)) if read else None
    if read and found:
        workspace.current_sessions()
        batch = Batch(workspace.store, Known(workspace), lambda _: None)
        batch.add(found, read.turns)
        batch.save()


def _transcript_of(
    workspace: Workspace, tool: str, client_id: str, path: str
) -> Transcript | None:
    """Return the named transcript if an import would take it.

    Without a reader it is what hooks noted.
    """
    reader = reader_of(tool)
    if not keeps_conversations(workspace):
        return None
    if not reader:
        events = workspace.store.journal.events(client_id)
        return transcript_of_events(events) if events else None
    if not path:
        return None
    file = find_transcript(path, transcript_folders(workspace, reader), reader.pattern)
    forked = forked_at(workspace.store.journal.events(client_id))
    with suppress(OSError):  # gone meanwhile
        for found in reader.since(forked).read(file) if file else ():
            if not isinstance(found, Transcript):
                continue
            if clean_client_id(found.client_session_id) == client_id:
                own = Known(workspace).without_copy(found)
                # Hooks know where one without a folder is held.
                is_here = not own.folder or repository_folders(workspace).holds(
                    own.folder
                )
                return own if is_here and is_of_our_time(own, workspace) else None
    return None
