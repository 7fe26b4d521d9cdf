"""Derive a session from a transcript, as events of hooks would have made it.

Text is redacted as a whole before it is cut: a secret cut in two would not be found.
"""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from gitmem.actions.saving.facts import listed_commit, new_patches
from gitmem.actions.saving.hook_events import FILES_LIMIT
from gitmem.actions.saving.transcript_change import change_in
from gitmem.assistants.transcripts import PrintedCommit, Transcript
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.event import Event, Trigger
from gitmem.documents.kind import AHEAD
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.naming import slug_from
from gitmem.documents.session.observed import observed
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import Status
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.values import CommitDetails
from gitmem.workspace import Workspace

OVER = timedelta(hours=12)
"""After so long, a conversation counts as over."""
COMMITS_LIMIT = 1000
BRANCH_LENGTH = 255
"""Characters."""


@frozen
class DerivedSession:
    record: Record
    began_at: datetime
    prompt_count: int
    """How many prompts; the checkpoint has the first ones."""


def is_of_our_time(transcript: Transcript, workspace: Workspace) -> bool:
    """Tell whether its times are plausible in every time zone."""
    moments = transcript.began_at, transcript.ended_at
    if not all(1970 < moment.year < 9999 for moment in moments):
        return False
    latest = workspace.now() + AHEAD
    return all(workspace.local(moment) <= latest for moment in moments)


def derived_session(
    transcript: Transcript, workspace: Workspace, folders: RepositoryFolders
) -> DerivedSession | None:
    """Return the session of a transcript; None without prompt and edit."""
    if transcript.checkpoint:
        checkpoint = _with_import(transcript.checkpoint, transcript, workspace)
        return _derived(transcript, workspace, checkpoint)
    read = change_in(transcript, folders, _about(transcript, workspace))
    if not read.prompts and not read.files:
        return None
    checkpoint = _checkpoint(transcript, workspace, observed([read], [], []))
    return _derived(transcript, workspace, checkpoint, len(read.prompts))


def _derived(
    transcript: Transcript,
    workspace: Workspace,
    checkpoint: Checkpoint,
    prompt_count: int = 0,
) -> DerivedSession:
    record = Record(
        tool=transcript.tool,
        project=workspace.project,
        client_session_id=clean_client_id(transcript.client_session_id),
        session_id=None,
        checkpoint=checkpoint,
    )
    began_at = workspace.local(transcript.began_at)
    return DerivedSession(record, min(began_at, checkpoint.at), prompt_count)


def _with_import(
    checkpoint: Checkpoint, transcript: Transcript, workspace: Workspace
) -> Checkpoint:
    """Return the checkpoint of a document as that of an import; closed stays closed."""
    at = workspace.local(transcript.ended_at)
    is_open = checkpoint.status in (None, Status.OPEN)
    status = _status(at, workspace) if is_open else checkpoint.status
    return replace(checkpoint, at=at, trigger=Trigger.IMPORT, status=status)


def _checkpoint(
    transcript: Transcript, workspace: Workspace, change: Checkpoint
) -> Checkpoint:
    """Return what was observed, with what git knows, as a checkpoint of an import."""
    commits = _commits(transcript, workspace)
    return replace(
        change,
        trigger=Trigger.IMPORT,
        status=_status(change.at, workspace),
        slug=slug_from(change.goal),
        branch=_branch(transcript),
        parent=clean_client_id(transcript.parent) if transcript.parent else "",
        files=change.files[:FILES_LIMIT],
        commits=tuple(map(listed_commit, commits)),
        patches=new_patches(workspace, None, [commit.oid for commit in commits]),
    )


def _status(at: datetime, workspace: Workspace) -> Status:
    return Status.CLOSED if workspace.now() - at > OVER else Status.OPEN


def _about(transcript: Transcript, workspace: Workspace) -> Event:
    return Event(
        at=workspace.local(transcript.ended_at),
        tool=transcript.tool,
        client_session_id=clean_client_id(transcript.client_session_id),
        root=transcript.folder,
    )


def _branch(transcript: Transcript) -> str | None:
    name = transcript.branch or ""
    return name if 0 < len(name) <= BRANCH_LENGTH else None


def _commits(transcript: Transcript, workspace: Workspace) -> list[CommitDetails]:
    """Return the printed commits that git knows here, without those amended later."""
    commits: list[CommitDetails] = []
    amended = set[str]()
    for printed in reversed(transcript.commits[:COMMITS_LIMIT]):
        known_commits = _commits_of(workspace, printed)
        if printed.branch not in amended:
            commits += (commit for commit in known_commits if commit not in commits)
        if known_commits:
            (amended.add if printed.is_amended else amended.discard)(printed.branch)
    return commits[::-1]


def _commits_of(workspace: Workspace, printed: PrintedCommit) -> list[CommitDetails]:
    """Return the commit, or of a push those with one of the subjects."""
    git = workspace.repository
    with suppress(Damaged):
        commit = git.full_name(printed.sha)
        if commit and not printed.since:
            return [*filter(None, [git.commit_details(commit)])]
        if commit and (since := git.full_name(printed.since)):
            pushed = git.commits_between(since, commit)
            return [own for own in pushed if own.subject in printed.subjects]
    return []
