"""What assistants keep of this repository and no session has, told by a glance."""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import islice
from pathlib import Path

from gitmem.actions.importing.batch import Known
from gitmem.actions.importing.derive_session import OVER
from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    folder_by_place,
)
from gitmem.actions.importing.report import ImportReport
from gitmem.assistants.readers import READERS
from gitmem.assistants.transcripts import Transcript, TranscriptReader
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.assistants.transcripts.transcript_files import (
    TranscriptFile,
    open_transcript,
    transcripts_in,
)
from gitmem.documents.names import clean_client_id
from gitmem.frozen import frozen
from gitmem.text.patterns import pattern
from gitmem.work_trees import repository_folders, transcript_folders
from gitmem.workspace import Workspace

_GLANCE = 30_000
_SOON_READ = 1_000_000
_FOLDER = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*+")')
_OF_PROGRAM = re.compile(rb'"entrypoint"\s*:\s*"sdk-(?:ts|py)"')
"""A mark of conversations that an import leaves out."""
_UUID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SOON = timedelta(days=7)


@frozen
class NewTranscripts:
    """The transcripts of one assistant that no session has yet."""

    reader: TranscriptReader
    files: Sequence[TranscriptFile]
    vanishing: int
    """How many of them the assistant itself by default deletes within a week."""

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def folder(self) -> Path:
        """The innermost folder that holds all files."""
        return Path(os.path.commonpath([file.path.parent for file in self.files]))


def importable_histories(workspace: Workspace) -> Iterator[NewTranscripts]:
    """Yield what there is to import, by assistant."""
    folders, has_session = repository_folders(workspace), Known(workspace).session_of
    for reader in READERS:
        files = transcripts_in(transcript_folders(workspace, reader), reader)
        new = [file for file in files if _is_new(file, reader, folders, has_session)]
        if new:
            yield NewTranscripts(reader, new, _vanishing(workspace, reader, new))


def import_histories(workspace: Workspace) -> None:
    """Import the conversations that are over and have no session."""
    latest = workspace.now() - OVER
    for history in [*importable_histories(workspace)]:
        over = [file for file in history.files if file.changed_at < latest]
        request = ImportRequest(reader=history.reader)
        bring_in(workspace, request, over, ImportReport(), lambda _done, _total: None)


def glanced(
    file: TranscriptFile, reader: TranscriptReader, folders: RepositoryFolders
) -> list[tuple[list[str], str]]:
    """Return what may be ids of a file's conversations, and the folder of each.

    The folder is "" if it takes long to tell. Of a file that is not a list, only the
    first.
    """
    by_place = folder_by_place(reader, folders, file.path)
    try:
        return [(ids, folder or by_place) for ids, folder in _glanced_at(file, reader)]
    except (OSError, ValueError):
        return []


def _vanishing(
    workspace: Workspace, reader: TranscriptReader, files: Sequence[TranscriptFile]
) -> int:
    """Count the files that an assistant by default deletes within a week."""
    if reader.days_kept is None:
        return 0
    latest = workspace.now() - timedelta(days=reader.days_kept) + _SOON
    return sum(file.changed_at < latest for file in files)


def _is_new(
    file: TranscriptFile,
    reader: TranscriptReader,
    folders: RepositoryFolders,
    has_session: Callable[[str], object],
) -> bool:
    """Tell whether a conversation in it was held here, and has no session."""
    return any(
        folders.holds(folder) and not any(map(has_session, ids))
        for ids, folder in glanced(file, reader, folders)
    )


def _glanced_at(
    file: TranscriptFile, reader: TranscriptReader
) -> Iterator[tuple[list[str], str]]:
    if reader.session_folders:
        for name, folder in reader.session_folders(file.path):
            yield [clean_client_id(name)], folder
        return
    with open_transcript(file.path) as content:
        head = content.read(_GLANCE)
    if _OF_PROGRAM.search(head):
        return
    if match := _FOLDER.search(head):
        text = head.decode("utf-8", "replace")
        ids = _UUID.findall(file.path.name) or _UUID.findall(text)
        yield ids, str(json.loads(match[1]))
    elif file.size > _SOON_READ:
        yield _UUID.findall(file.path.name), ""
    else:
        read = (x for x in reader.read(file.path) if isinstance(x, Transcript))
        for first in islice(read, 1):
            yield [clean_client_id(first.client_session_id)], first.folder
