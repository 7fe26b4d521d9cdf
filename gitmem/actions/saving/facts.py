"""What git knows about a session without anybody saying it."""

from dataclasses import replace
from datetime import datetime

from gitmem.actions.saving.seen import (
    commits_of_others,
    committed_in,
    edited_in,
    events_of,
    heard_here,
    last_found,
)
from gitmem.assistants.known import names_itself_in_shell
from gitmem.errors import Damaged
from gitmem.model.checkpoint import Checkpoint, merge_files
from gitmem.model.counting import counted
from gitmem.model.event import Event, Found
from gitmem.model.identity import FOLDER
from gitmem.model.session import COMMIT_LENGTH, Change, Commit, FileChange, Session
from gitmem.store.git.reflog import committed_here
from gitmem.store.git.values import CommitDetails, FileStat, Oid
from gitmem.workspace import Workspace

FILES_LIMIT = 1000
"""Above this many changed files no paths are recorded: that is no one's own work."""


def with_facts(
    workspace: Workspace,
    client_session_id: str,
    session: Session | None,
    checkpoint: Checkpoint,
) -> Checkpoint:
    """The checkpoint with what git says: branch, HEAD, files, commits and their size.

    Files are those that differ from HEAD now, and those of the session's commits: of
    the user's own ones that were made here since the last checkpoint, or since the
    conversation began or went on. What differed when it began, what another
    conversation edited meanwhile or committed, commits of others, and everything where
    histories do not meet, are left out: a gap is better than a wrong link.
    """
    git = workspace.repository
    head = git.head()
    known = replace(checkpoint, branch=head.branch, head=head.commit)
    events = events_of(workspace, client_session_id)
    try:
        commits = _own_commits(
            workspace, client_session_id, session, events, head.commit
        )
        changed = _uncommitted(workspace, client_session_id, events, head.commit)
        touched = merge_files(
            (), [*(file for commit in commits for file in commit.files), *changed]
        )
        known = replace(known, commits=tuple(map(named, commits)))
        if len(touched) > FILES_LIMIT:
            return replace(known, diff_summary=f"{len(touched):,} files changed.")
        start = _start(session, events) or head.commit
        summary = _summary(workspace, session, start, touched)
        return replace(known, files=touched, diff_summary=summary)
    except Damaged:  # objects that a shallow or partial clone does not have
        return known


def named(commit: CommitDetails) -> Commit:
    """The commit as a session lists it."""
    return Commit(commit.oid[:COMMIT_LENGTH], commit.subject)


def may_be_of(commit: CommitDetails, events: list[Event]) -> bool:
    """Whether a conversation edited a file of the commit, or none that was seen."""
    edited = edited_in(events)
    return not edited or any(file.path in edited for file in commit.files)


def belongs(commit: CommitDetails, events: list[Event]) -> bool:
    """Whether a commit, of which nothing else tells, is taken for the conversation's.

    One that edited nothing may have worked through a shell; but not where that shell
    would have named it.
    """
    is_unseen = bool(events) and not edited_in(events)
    is_named = is_unseen and names_itself_in_shell(events[-1].tool)
    return may_be_of(commit, events) and not is_named


def _own_commits(
    workspace: Workspace,
    client_session_id: str,
    session: Session | None,
    events: list[Event],
    head: Oid | None,
) -> list[CommitDetails]:
    """The session's commits since its last checkpoint, oldest first."""
    git = workspace.repository
    beginning = _beginning(session, events)
    if beginning is None or head is None:
        return []
    since, began = beginning
    email = git.config("user.email")
    commits = reversed(git.commits_between(since, head))
    made = [commit for commit in commits if commit.committer.when >= began]
    here, seen = committed_here(git), committed_in(events)
    own = [
        commit
        for commit in made
        if named(commit).sha in seen
        or (
            commit.committer.email == email
            and (here is None or commit.oid in here)  # else pulled or merged
            and belongs(commit, events)
        )
    ]
    others = commits_of_others(workspace, client_session_id) if own else set()
    return [commit for commit in own if named(commit).sha not in others]


def _beginning(
    session: Session | None, events: list[Event]
) -> tuple[Oid | None, datetime] | None:
    """The HEAD after which commits are the session's, and the time of that.

    HEAD is None where there was no commit yet.
    """
    found = last_found(events)
    if found and (session is None or found.at >= session.updated_at):
        return found.head, found.at
    if session is None or session.git_sha_end is None:
        return None
    return session.git_sha_end, session.started_at


def _start(session: Session | None, events: list[Event]) -> Oid | None:
    """HEAD when the session began."""
    if session and session.git_sha_start:
        return session.git_sha_start
    return next((event.head for event in events if isinstance(event, Found)), None)


def _uncommitted(
    workspace: Workspace,
    client_session_id: str,
    events: list[Event],
    head: Oid | None,
) -> tuple[FileChange, ...]:
    """What is not in a commit yet, but for our own copies, and for what others did."""
    git = workspace.repository
    if git.work_tree is None:
        return ()
    changed = git.changes_since(head)  # first: others edit meanwhile
    of_others = _not_own(workspace, client_session_id, events) - edited_in(events)
    return tuple(
        file
        for file in changed
        if file.path not in of_others
        and not file.path.startswith(f"{FOLDER}/")
        and not file.path.endswith("/")  # a repository inside of this one
    )


def _not_own(
    workspace: Workspace, client_session_id: str, events: list[Event]
) -> set[str]:
    """What differed when the conversation began, and what others edited since."""
    found = last_found(events)
    since = events[0].at if events else workspace.now()
    others = (
        edited_in(other)
        for other in heard_here(workspace, since)  # their work outlives them
        if other[-1].client_session_id != client_session_id
    )
    return set(found.dirty if found else ()).union(*others)


def _summary(
    workspace: Workspace,
    session: Session | None,
    start: Oid | None,
    touched: tuple[FileChange, ...],
) -> str | None:
    """The size of the session's work since it began; None where nothing differs."""
    if workspace.repository.work_tree is None:
        return None
    paths = {file.path for file in (*(session.files if session else ()), *touched)}
    stats = workspace.repository.stats_since(start, paths) if paths else ()
    return _sentence(stats) if stats else None


def _sentence(stats: tuple[FileStat, ...]) -> str:
    counts = [
        f"{counted(count, 'file')} {change}"
        for change in Change
        if (count := sum(stat.file.change is change for stat in stats))
    ]
    added = sum(stat.insertions for stat in stats)
    removed = sum(stat.deletions for stat in stats)
    return f"{', '.join(counts)}. +{added} / -{removed} lines."
