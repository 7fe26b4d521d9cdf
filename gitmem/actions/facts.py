"""What git knows about a session without anybody saying it."""

from dataclasses import replace

from gitmem.errors import Damaged
from gitmem.model.checkpoint import Checkpoint, merge_files
from gitmem.model.session import Change, Commit, FileChange, Session
from gitmem.store.copies import FOLDER
from gitmem.store.repository import CommitDetails, FileStat, Head, Repository
from gitmem.workspace import Workspace

FILES_LIMIT = 1000
"""Above this many changed files no paths are recorded: that is no one's own work."""


def with_facts(
    workspace: Workspace, session: Session | None, checkpoint: Checkpoint
) -> Checkpoint:
    """The checkpoint with what git says: branch, HEAD, files, commits and their size.

    Files are those that differ from HEAD now, and those of the user's own commits since
    the last checkpoint. Commits of others, and everything where histories do not meet,
    are left out: a gap is better than a wrong link.
    """
    git = workspace.repository
    head = git.head()
    known = replace(checkpoint, branch=head.branch, head=head.commit)
    try:
        commits = _own_commits(git, session, head)
        changed = _uncommitted(workspace, head)
        touched = merge_files(
            (), [*(file for commit in commits for file in commit.files), *changed]
        )
        known = replace(known, commits=tuple(map(_named, commits)))
        if len(touched) > FILES_LIMIT:
            return replace(known, diff_summary=f"{len(touched):,} files changed.")
        summary = _summary(workspace, session, head, touched)
        return replace(known, files=touched, diff_summary=summary)
    except Damaged:  # objects that a shallow or partial clone does not have
        return known


def _own_commits(
    git: Repository, session: Session | None, head: Head
) -> list[CommitDetails]:
    """The user's commits on top of the last checkpoint's HEAD, oldest first."""
    if not session or not session.git_sha_end or not head.commit:
        return []
    email = git.config("user.email")
    commits = git.commits_between(session.git_sha_end, head.commit)
    return [
        commit
        for commit in reversed(commits)
        if commit.committer.email == email
        and commit.committer.when >= session.started_at
    ]


def _named(commit: CommitDetails) -> Commit:
    return Commit(commit.oid[:12], commit.subject)


def _uncommitted(workspace: Workspace, head: Head) -> tuple[FileChange, ...]:
    """What is not in a commit yet, but for our own copies."""
    if workspace.repository.work_tree is None:
        return ()
    changes = workspace.repository.changes_since(head.commit)
    return tuple(file for file in changes if not file.path.startswith(f"{FOLDER}/"))


def _summary(
    workspace: Workspace,
    session: Session | None,
    head: Head,
    touched: tuple[FileChange, ...],
) -> str | None:
    """The size of the session's work since it began; None where nothing differs."""
    if workspace.repository.work_tree is None:
        return None
    paths = {file.path for file in (*(session.files if session else ()), *touched)}
    start = (session.git_sha_start if session else None) or head.commit
    stats = workspace.repository.stats_since(start, paths) if paths else ()
    return _sentence(stats) if stats else None


def _sentence(stats: tuple[FileStat, ...]) -> str:
    counts = [
        f"{count} file{'s' * (count != 1)} {change}"
        for change in Change
        if (count := sum(stat.file.change is change for stat in stats))
    ]
    added = sum(stat.insertions for stat in stats)
    removed = sum(stat.deletions for stat in stats)
    return f"{', '.join(counts)}. +{added} / -{removed} lines."
