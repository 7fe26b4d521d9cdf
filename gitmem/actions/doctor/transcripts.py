"""Checks of the transcripts that assistants keep of this repository."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

from gitmem.actions.doctor.finding import Code, Finding, note, warning
from gitmem.actions.importing.histories import glanced, importable_histories
from gitmem.assistants.readers import READERS, reader_title
from gitmem.assistants.transcripts import TranscriptReader, Unread
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.assistants.transcripts.transcript_files import (
    TranscriptFile,
    transcripts_in,
)
from gitmem.redaction.redact import redact
from gitmem.text.counting import counted
from gitmem.work_trees import repository_folders, transcript_folders
from gitmem.workspace import Workspace

_LATELY = timedelta(days=7)
_MOST_READ, _MOST_FILES = 20_000_000, 100
"""Bytes and files of the newest transcripts: what is new in a format is in all."""
_MOST_REASONS = 3
_AUTOMATIC = "or with each session: `git config ocm.autoImport true`."


def vanishing(workspace: Workspace) -> Iterator[Finding]:
    """Say what assistants delete soon that was not imported."""
    for history in importable_histories(workspace):
        tool, count = history.reader.tool, history.vanishing
        if count:
            message = f"{reader_title(tool)} by default deletes"
            message += f" {counted(count, 'conversation')} of this repository within a"
            message += " week that no session has"
            remedy = f"Run `ocm import {tool}`, {_AUTOMATIC}"
            yield warning(Code.VANISHING, message, remedy, tool)


def passed_over(workspace: Workspace) -> Iterator[Finding]:
    """Say what readers do not read of the last week's transcripts."""
    folders, since = repository_folders(workspace), workspace.now() - _LATELY
    for reader in READERS:
        files = transcripts_in(transcript_folders(workspace, reader), reader)
        recent = (file for file in files[::-1] if file.changed_at > since)
        local_files = (file for file in recent if _is_here(file, reader, folders))
        reasons, size, unread_file = Counter[str](), 0, ""
        for file in islice(local_files, _MOST_FILES):
            if size > _MOST_READ:
                break
            size += file.size
            unread = _unread(reader, file)
            reasons.update(unread)
            unread_file = unread_file or (str(file.path) if unread else "")
        if reasons:
            yield _unread_note(reader.tool, reasons, redact(unread_file))


def _is_here(
    file: TranscriptFile, reader: TranscriptReader, folders: RepositoryFolders
) -> bool:
    return any(folders.holds(folder) for _, folder in glanced(file, reader, folders))


def _unread(reader: TranscriptReader, file: TranscriptFile) -> Counter[str]:
    reasons = Counter[str]()
    try:
        for part in reader.read(file.path):
            if isinstance(part, Unread):
                reasons[part.reason] += part.count
    except OSError as error:
        reasons[error.strerror or "it cannot be opened"] += 1
    return reasons


def _unread_note(tool: str, reasons: Counter[str], file: str) -> Finding:
    parts = [f"{redact(reason)} ({n:,})" for reason, n in reasons.most_common()]
    ending = ", ..." if len(parts) > _MOST_REASONS else ""
    message = f"{reader_title(tool)}: not read of the last week's transcripts:"
    message += f" {', '.join(parts[:_MOST_REASONS])}{ending}"
    remedy = f"`ocm import {tool}` names all files."
    return note(Code.PASSED_OVER, message, remedy, tool, file)
