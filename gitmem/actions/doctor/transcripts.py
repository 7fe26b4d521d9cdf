"""Checks of the transcripts that assistants keep of this repository."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

from gitmem.actions.doctor.finding import Code, Finding, note, warning
from gitmem.actions.importing.histories import glanced, kept_histories
from gitmem.actions.importing.import_transcripts import READERS, here_of, kept_in
from gitmem.actions.importing.removed_work_trees import with_removed_trees
from gitmem.assistants.known import assistant_named
from gitmem.assistants.transcripts import Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.in_repository import Here, is_foreign
from gitmem.assistants.transcripts.transcript_files import (
    TranscriptFile,
    transcripts_in,
)
from gitmem.documents.event import Trigger
from gitmem.documents.session.session import Session
from gitmem.redaction.redact import redact
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_LATELY = timedelta(days=7)
_MOST_READ = 100_000_000
"""Bytes of the newest transcripts of an assistant."""
_MOST_REASONS = 3
_AUTOMATIC = "or with each session: `git config ocm.autoImport true`."


def vanishing(workspace: Workspace) -> Iterator[Finding]:
    """Say what assistants delete soon that was not imported."""
    sessions = workspace.store.memory().newest()
    names = {session.client_session_id for session in sessions}
    for history in kept_histories(workspace, names.__contains__):
        tool, count = history.reader.tool, history.vanishing
        if count:
            what = f"{_title(tool)} deletes {counted(count, 'conversation')} of this"
            what += " repository within a week that no session has"
            mend = f"Run `ocm import {tool}`, {_AUTOMATIC}"
            yield warning(Code.VANISHING, what, mend, tool)


def passed_over(workspace: Workspace) -> Iterator[Finding]:
    """Say what readers do not read of the last week's transcripts."""
    here, since = here_of(workspace), workspace.now() - _LATELY
    for reader in READERS:
        files = transcripts_in(kept_in(workspace, reader), reader)
        recent = [file for file in files[::-1] if file.changed_at > since]
        reasons, size = Counter[str](), 0
        for file in (each for each in recent if _is_here(each, reader, here)):
            size += file.size
            if size > _MOST_READ:
                reasons["files that were not looked at"] += 1
            else:
                reasons.update(_unread(reader, file))
        if reasons:
            yield _said(reader.tool, reasons)


def foreign(workspace: Workspace) -> Iterator[Finding]:
    """Name imported sessions of conversations that were held elsewhere."""
    memory = workspace.store.memory()
    imported = [each for each in memory.newest() if each.trigger is Trigger.IMPORT]
    suspects = {
        each.client_session_id: each
        for each in imported
        if not each.commits and not _has_file(workspace, each)
    }
    ids = {*_with_foreign_paths(imported)}
    if suspects:
        ids.update(_held_elsewhere(workspace, suspects))
    if ids:
        what = f"{counted(len(ids), 'imported session')} may be of other projects:"
        what += " nothing shows that they were held here"
        mend = "Look at them with `ocm show`, and forget those of other projects:"
        yield warning(Code.FOREIGN, what, f"{mend}\nocm forget {' '.join(sorted(ids))}")


def _with_foreign_paths(imported: list[Session]) -> Iterator[str]:
    for session in imported:
        if session.files and all(is_foreign(file.path) for file in session.files):
            yield session.id


def _has_file(workspace: Workspace, session: Session) -> bool:
    return any(workspace.repository.tracks(file.path) for file in session.files)


def _held_elsewhere(
    workspace: Workspace, suspects: dict[str, Session]
) -> Iterator[str]:
    here = here_of(workspace)
    for reader in READERS:
        for file in transcripts_in(kept_in(workspace, reader), reader):
            for ids, folder in glanced(file, reader, here):
                for name in filter(suspects.__contains__, ids):
                    if not _was_held(workspace, here, reader, file, folder):
                        yield suspects[name].id


def _was_held(
    workspace: Workspace,
    here: Here,
    reader: TranscriptReader,
    file: TranscriptFile,
    folder: str,
) -> bool:
    """Tell whether it was held here, also in a work tree that was removed."""
    if here.holds(folder):
        return True
    read = (each for each in reader.read(file.path) if isinstance(each, Transcript))
    return any(
        with_removed_trees(here, each, workspace.repository).holds(each.folder)
        for each in read
    )


def _is_here(file: TranscriptFile, reader: TranscriptReader, here: Here) -> bool:
    return any(here.holds(folder) for _, folder in glanced(file, reader, here))


def _unread(reader: TranscriptReader, file: TranscriptFile) -> Counter[str]:
    reasons = Counter[str]()
    try:
        for part in reader.read(file.path):
            if isinstance(part, Unread):
                reasons[part.reason] += part.count
    except OSError as error:
        reasons[error.strerror or "it cannot be opened"] += 1
    return reasons


def _said(tool: str, reasons: Counter[str]) -> Finding:
    listed = [f"{redact(reason)} ({n:,})" for reason, n in reasons.most_common()]
    more = ", ..." if len(listed) > _MOST_REASONS else ""
    what = f"{_title(tool)}: not read of the last week's transcripts:"
    what += f" {', '.join(listed[:_MOST_REASONS])}{more}"
    return note(Code.PASSED_OVER, what, f"`ocm import {tool}` names the files.", tool)


def _title(tool: str) -> str:
    known = assistant_named(tool)
    return known.title if known else tool
