"""What assistants keep about this repository, found without reading it.

Names and sizes of files tell how much there is; a glance at the head of each tells
where it was held, and whether it is in the memory already.
"""

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from gitmem.actions.importing.batch import Known
from gitmem.actions.importing.import_transcripts import READERS, here_of, kept_in
from gitmem.assistants.transcripts import Transcript, TranscriptReader
from gitmem.assistants.transcripts.in_repository import Here
from gitmem.assistants.transcripts.transcript_files import TranscriptFile, files_in
from gitmem.documents.names import clean_client_id
from gitmem.frozen import frozen
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_GLANCE = 30_000
_SOON_READ = 1_000_000
_FOLDER = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*+")')
_UUID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@frozen
class History:
    """The transcripts of one assistant that no session has yet."""

    reader: TranscriptReader
    files: Sequence[TranscriptFile]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def folder(self) -> Path:
        """The innermost folder that holds all files."""
        return Path(os.path.commonpath([file.path.parent for file in self.files]))


def kept_histories(workspace: Workspace) -> Iterator[History]:
    """Yield what there is to import, by assistant."""
    here, known = here_of(workspace), Known(workspace)
    for reader in READERS:
        files = files_in(kept_in(workspace, reader), reader.pattern)
        new = [file for file in files if _is_new(file, reader, here, known)]
        if new:
            yield History(reader, new)


def _folder_in(head: bytes) -> str | None:
    found = _FOLDER.search(head)
    return str(json.loads(found[1])) if found else None


def _is_new(
    file: TranscriptFile, reader: TranscriptReader, here: Here, known: Known
) -> bool:
    try:
        with file.path.open("rb") as opened:
            head = opened.read(_GLANCE)
        folder = _folder_in(head)
        if folder is None:
            return _first_is_new(file, reader, here, known)
        ids = _UUID.findall(file.path.name) or _UUID.findall(
            head.decode("utf-8", "replace")
        )
        return here.holds(folder) and not any(map(known.session_of, ids))
    except (OSError, ValueError):
        return False


def _first_is_new(
    file: TranscriptFile, reader: TranscriptReader, here: Here, known: Known
) -> bool:
    """Look at the first conversation, if the file is small."""
    if file.size > _SOON_READ:
        return True
    found = (each for each in reader.read(file.path) if isinstance(each, Transcript))
    first = next(found, None)
    if first is None or not here.holds(first.folder):
        return False
    return known.session_of(clean_client_id(first.client_session_id)) is None
