"""Which transcripts an import has read already, so that the next one skips them.

A file counts as unchanged by its size, its time and its last block: Codex rewrites old
files in place and gives them their old time.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from gitmem import __version__
from gitmem.actions.importing.derive_session import DerivedSession
from gitmem.actions.importing.report import ImportReport
from gitmem.assistants.transcripts.transcript_files import TranscriptFile
from gitmem.frozen import frozen
from gitmem.git.files import read_value, write_value
from gitmem.redaction.redact import redact

_FILE = "read-transcripts"
_BLOCK = 4096
_MOST_FILES = 20_000


@frozen
class ReadSession:
    """What is reported of a session; its words stay where they can be forgotten."""

    tool: str
    client_session_id: str
    began_at: datetime
    prompts: int
    files: int


@frozen
class FileIdentity:
    path: str
    size: int
    changed_at: float
    """Seconds since 1970."""
    last_block: str
    """Digest of the last block."""
    version: str
    """Version of the gitmem that read the file; another one may read more in it."""


@frozen
class ReadFile:
    """What an import found in a file."""

    identity: FileIdentity
    sessions: tuple[ReadSession, ...]
    elsewhere: tuple[str, ...]
    """Redacted folder of each conversation that was held outside of the repository."""
    passed_over: int
    programs: int


@frozen
class _FileList:
    files: tuple[ReadFile, ...]


class ReadFiles:
    def __init__(self, own_dir: Path) -> None:
        self._path = own_dir / _FILE
        stored = read_value(self._path, _FileList)
        files = stored.files if stored else ()
        self._files = {file.identity.path: file for file in files}

    def unchanged(self, identity: FileIdentity) -> ReadFile | None:
        """Return what was read of a file, unless it changed since."""
        read = self._files.get(identity.path)
        return read if read and read.identity == identity else None

    def add(
        self,
        identity: FileIdentity,
        sessions: Iterable[DerivedSession],
        report: ImportReport,
    ) -> None:
        """Add a file, unless a part of it was left out and may be read later."""
        if report.unread or report.earlier or report.left_out:
            return
        self._files[identity.path] = ReadFile(
            identity,
            tuple(map(_read_session, sessions)),
            tuple(map(redact, report.elsewhere.elements())),
            report.passed_over,
            report.programs,
        )

    def write(self) -> None:
        """Write the list, without files that are gone."""
        files = [file for path, file in self._files.items() if os.path.lexists(path)]
        with suppress(OSError):  # then the next import reads all of them again
            write_value(self._path, _FileList(tuple(files[-_MOST_FILES:])))


def identity_of(file: TranscriptFile) -> FileIdentity:
    block = _last_block(file.path)
    changed_at = file.changed_at.timestamp()
    return FileIdentity(str(file.path), file.size, changed_at, block, __version__)


def _read_session(derived: DerivedSession) -> ReadSession:
    record = derived.record
    return ReadSession(
        tool=record.tool,
        client_session_id=record.client_session_id,
        began_at=derived.began_at,
        prompts=derived.prompt_count,
        files=len(record.checkpoint.files),
    )


def _last_block(path: Path) -> str:
    # Only the end, for a gigabyte would take as long as an import.
    with suppress(OSError), path.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - _BLOCK))
        return sha256(file.read(_BLOCK)).hexdigest()
    return ""
