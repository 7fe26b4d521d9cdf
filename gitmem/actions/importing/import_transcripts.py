"""Import transcripts of assistants as sessions of this repository.

An interrupted import is run again: what is imported already is found by the
assistant's own id of the conversation, and not written twice.
"""

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from gitmem.actions.importing.batch import Batch, Known
from gitmem.actions.importing.derive_session import (
    DerivedSession,
    derived_session,
    is_of_our_time,
)
from gitmem.actions.importing.read_files import ReadFile, ReadFiles, identity_of
from gitmem.actions.importing.removed_work_trees import edits_in, removed_trees
from gitmem.actions.importing.report import ImportReport
from gitmem.actions.maintenance import run_maintenance
from gitmem.actions.saving.touching_turns import is_touching, part_touching
from gitmem.assistants.transcripts import Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.assistants.transcripts.transcript_files import (
    SIZE_LIMIT,
    TranscriptFile,
    open_transcript,
    require_there,
    transcripts_in,
)
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.names import clean_client_id
from gitmem.frozen import frozen
from gitmem.store.session_store import SessionStore
from gitmem.text.counting import Progress
from gitmem.work_trees import repository_folders, transcript_folders
from gitmem.workspace import Workspace

_BLOCK = 1 << 20


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
    """Store to import to instead, so that nothing is written."""

    @property
    def is_plain(self) -> bool:
        """True for all that the assistant keeps of this repository."""
        return not (self.paths or self.moved_from or self.since)

    def names(self, file: Path) -> bool:
        return file in [path.resolve() for path in self.paths]


def wanted_files(workspace: Workspace, request: ImportRequest) -> list[TranscriptFile]:
    """Return the files to read, oldest first. Raises NotFound for a missing path."""
    require_there(request.paths)
    reader = request.reader
    if request.paths:
        files = transcripts_in(request.paths, reader)
    else:
        places = transcript_folders(workspace, reader, request.moved_from)
        files = transcripts_in(places, reader)
        files += _held_elsewhere(workspace, reader, files)
        files.sort(key=lambda file: (file.changed_at, file.path))
    return [
        file
        for file in files
        if request.since is None or file.changed_at >= request.since
    ]


def _held_elsewhere(
    workspace: Workspace, reader: TranscriptReader, files: Sequence[TranscriptFile]
) -> Iterator[TranscriptFile]:
    """Yield other transcripts that name a work tree of this repository."""
    environment = workspace.environment
    home, variables = environment.user_home, environment.variables
    places = reader.places(home, variables, [Path("/")])
    names = set[bytes]()
    for root in repository_folders(workspace).roots:
        names |= {os.fsencode(root), json.dumps(str(root))[1:-1].encode()}
    for file in set(transcripts_in(places, reader)).difference(files):
        if _contains_any(file.path, names):
            yield file


def _contains_any(file: Path, names: Collection[bytes]) -> bool:
    end, longest = b"", max(map(len, names))
    with suppress(OSError), open_transcript(file) as content:
        while block := content.read(_BLOCK):
            if any(name in end + block for name in names):
                return True
            end = (end + block)[-longest:]
    return False


def bring_in(
    workspace: Workspace,
    request: ImportRequest,
    files: Sequence[TranscriptFile],
    report: ImportReport,
    progress: Progress,
) -> None:
    """Import the files, and fill `report`.

    `progress` takes (done, total) in bytes. After an interruption memory and report are
    whole.
    """
    workspace.current_sessions()
    store = request.rehearsal or workspace.store
    coming = {clean_client_id(file.path.stem) for file in files}
    folders = repository_folders(workspace, request.moved_from)
    known_sessions = Known(workspace, coming, store)
    batch = Batch(store, report.sessions.append)
    read_files = ReadFiles(workspace.own_dir)
    total = sum(file.size for file in files)
    for file in files:
        progress(report.size, total)
        # Before it is read: what its client appends meanwhile is read the next time.
        identity = identity_of(file)
        unchanged = read_files.unchanged(identity) if request.is_plain else None
        counts = (
            _imported_before(unchanged, known_sessions, folders) if unchanged else None
        )
        if counts is None:
            counts, sessions = _import_file(
                known_sessions, request, folders, file, batch
            )
            read_files.add(identity, sessions, counts)
        report.add(counts)
        report.files += 1
        report.size += file.size
    batch.save()
    if not request.rehearsal:
        read_files.write()  # once all is committed, or a crash would hide the rest
        run_maintenance(workspace)


def _imported_before(
    read: ReadFile, known_sessions: Known, folders: RepositoryFolders
) -> ImportReport | None:
    """Return the report on an unchanged file; None if it has to be read again.

    A session or what was said in it may be gone, though the user did not forget it, and
    a folder may belong to the repository by now.
    """
    sessions = [known_sessions.imported_before(session) for session in read.sessions]
    if None in sessions or any(map(folders.holds, read.elsewhere)):
        return None
    return ImportReport(
        sessions=[session for session in sessions if session],
        elsewhere=Counter(read.elsewhere),
        passed_over=read.passed_over,
        programs=read.programs,
    )


def _import_file(
    known_sessions: Known,
    request: ImportRequest,
    folders: RepositoryFolders,
    file: TranscriptFile,
    batch: Batch,
) -> tuple[ImportReport, list[DerivedSession]]:
    report = ImportReport()
    sessions = list[DerivedSession]()
    stored = known_sessions.session_of(clean_client_id(file.path.stem))
    forked = stored.started_at if stored and stored.parent else None
    for part in _read(request.reader.since(forked), file):
        if isinstance(part, Unread):
            report.note_unread(file.path, part)
            continue
        own_part = known_sessions.without_copy(part)
        accepted = _accepted(
            known_sessions, request, folders, own_part, file.path, report
        )
        if accepted:
            session, turns = accepted
            batch.add(session, turns if known_sessions.keeps_conversations else ())
            sessions.append(session)
    batch.note_read(file.size)
    return report, sessions


def _accepted(
    known_sessions: Known,
    request: ImportRequest,
    folders: RepositoryFolders,
    read: Transcript,
    file: Path,
    report: ImportReport,
) -> tuple[DerivedSession, Sequence[Turn]] | None:
    """Return the session of a transcript and its turns here.

    None counts in `report` why there is no session.
    """
    workspace = known_sessions.workspace
    by_place = folder_by_place(request.reader, folders, file)
    folder = read.folder or by_place or _folder_if_named(request, folders, file)
    read = replace(read, folder=folder)
    trees = removed_trees(folders, read, workspace.repository)
    folders = folders.joined(tree for tree, is_ours in trees.items() if is_ours)
    is_here = folders.holds(folder)
    if folder and not is_here:
        read = part_touching(read, folders, workspace.repository)
        is_here = is_touching(read, folders)
    if not is_of_our_time(read, workspace):
        report.note_unread(file, Unread("it is of a time that cannot be"))
    elif not is_here:
        report.elsewhere[folder] += 1
    elif request.since and workspace.local(read.ended_at) < request.since:
        report.earlier += 1
    elif (derived := derived_session(read, workspace, folders)) is None:
        report.passed_over += 1
    elif known_sessions.is_of_program(derived) and not request.names(file):
        report.programs += 1
    else:
        for tree in (tree for tree, is_ours in trees.items() if not is_ours):
            report.left_out[str(tree)] += len(edits_in(tree, read))
        return derived, read.turns
    return None


def folder_by_place(
    reader: TranscriptReader, folders: RepositoryFolders, file: Path
) -> str:
    """Return the work tree that a file is kept for, "" if its place does not say."""
    is_of = reader.is_of
    return next(
        (str(root) for root in folders.roots if is_of and is_of(file, root)), ""
    )


def _folder_if_named(
    request: ImportRequest, folders: RepositoryFolders, file: Path
) -> str:
    """Return the work tree that the user named a file of one conversation for."""
    is_named = request.names(file) and not request.reader.session_folders
    return str(folders.roots[0]) if is_named else ""


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
