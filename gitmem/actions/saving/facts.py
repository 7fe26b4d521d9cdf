"""What git knows about a session without anybody saying it."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache
from heapq import nlargest
from itertools import islice
from pathlib import Path

from gitmem.actions.linking.left_lines import CommitShare, shares_in_commit
from gitmem.actions.saving.hook_events import FILES_LIMIT, RECENT
from gitmem.actions.saving.uncommitted import Work, uncommitted_files
from gitmem.assistants.known import SETTINGS, assistant_named
from gitmem.documents.event import Event, WorkTreeState
from gitmem.documents.event_log import (
    commits_in,
    edited_paths,
    events_in,
    is_unhooked,
    last_work_tree_state,
    touched_work_trees,
)
from gitmem.documents.session.checkpoint import Checkpoint, merge_files
from gitmem.documents.session.record import checkpoints_in
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, NoPermission
from gitmem.git.commit_changes import patches_in, with_added_lines
from gitmem.git.files import read_own
from gitmem.git.plumbing.refs import committed_here
from gitmem.git.values import (
    COMMIT_LENGTH,
    Change,
    Commit,
    CommitDetails,
    CommitPatch,
    FileChange,
    FileStat,
    Oid,
)
from gitmem.git.work_tree import rebased_branch, stats_since
from gitmem.store.install_manifest import installed_files, is_intact
from gitmem.store.journal.journal import journal_name
from gitmem.text.counting import counted
from gitmem.work_trees import work_trees
from gitmem.workspace import Workspace

MEANWHILE_LIMIT = 100
"""Paths that are listed of what changed meanwhile."""
_KEY_FILES = 3
"""Files with the most changed lines, which a summary of changes names."""


def with_facts(
    workspace: Workspace,
    client_session_id: str,
    session: Session | None,
    checkpoint: Checkpoint,
) -> Checkpoint:
    """The checkpoint with what git says: branch, HEAD, files, commits and their size.

    Files are those that differ from HEAD now, and those of the session's commits: of
    the user's own ones that were made here since the last checkpoint, or since the
    conversation began or went on. Where a transcript tells what its shell ran, of those
    that differ only what its tools or its shell touched; the rest changed meanwhile.
    What differed when it began and was not changed since, what another conversation
    left, edited meanwhile or committed, commits of others, and everything where
    histories do not meet, are left out: a gap is better than a wrong link.
    """
    events = workspace.store.journal.events(client_session_id)
    works = [
        Work(tree, client_session_id, session, events, tree.repository.head().commit)
        for tree in _work_trees(workspace, events)
    ]
    git = works[-1].workspace.repository
    head = git.head()
    branch = head.branch or rebased_branch(git)
    checkpoint = replace(checkpoint, branch=branch, head=head.commit)
    with suppress(Damaged, NoPermission):  # objects, or a file, that are not to be read
        commits = [*dict.fromkeys(c for work in works for c in _own_commits(work))]
        parts = _CommitParts(workspace, client_session_id)
        checkpoint = replace(
            checkpoint,
            commits=tuple(map(listed_commit, commits)),
            patches=tuple(
                parts.own_patch(patch)
                for patch in new_patches(workspace, session, _names(events, commits))
            ),
        )
        files = [file for commit in commits for file in parts.own_files(commit)]
        checkpoint = _with_files(checkpoint, works, files)
    return checkpoint


def _work_trees(workspace: Workspace, events: Sequence[Event]) -> list[Workspace]:
    """Return where a conversation works, the last touched work tree last."""
    own_root, roots = str(workspace.root.resolve()), touched_work_trees(events)
    if {*roots} <= {own_root}:
        return [workspace]
    trees = {str(tree.root.resolve()): tree for tree in work_trees(workspace)}
    if own_root not in roots:
        roots = [own_root, *roots]
    return [trees[root] for root in roots if root in trees]


def listed_commit(commit: CommitDetails) -> Commit:
    return Commit(commit.oid[:COMMIT_LENGTH], commit.subject)


def new_patches(
    workspace: Workspace, session: Session | None, commits: Iterable[str]
) -> tuple[CommitPatch, ...]:
    """Return what commits changed of which the session does not have that yet."""
    old = {patch.sha for patch in session.patches} if session else set()
    new = sorted(name for name in commits if name[:COMMIT_LENGTH] not in old)
    git = workspace.repository
    names = filter(None, map(git.full_name, new))
    return with_added_lines(git, patches_in(git, [*names]))


class _CommitParts:
    """What commits that a conversation made have of it, without what others left."""

    def __init__(self, workspace: Workspace, client_session_id: str) -> None:
        self._workspace, self._maker = workspace, client_session_id
        self._shares = cache(self._shares_of)

    def own_patch(self, patch: CommitPatch) -> CommitPatch:
        """Return the patch of a commit without the lines of others."""
        shares = self._shares(self._workspace.repository.full_name(patch.sha) or "")
        return shares[self._maker].patch if len(shares) > 1 else patch

    def own_files(self, commit: CommitDetails) -> list[FileChange]:
        """Return the files of a commit without those that only others left."""
        shares = self._shares(commit.oid)
        paths = {path for share in shares.values() for path in share.paths}
        own = shares.get(self._maker)
        foreign_paths = paths - (own.paths if own else frozenset())
        return [file for file in commit.files if file.path not in foreign_paths]

    def _shares_of(self, commit: Oid) -> dict[str, CommitShare]:
        """Return the shares of a commit by the client's id of each conversation."""
        shares = shares_in_commit(self._workspace, commit, self._maker)
        return {share.client_session_id: share for share in shares}


def _names(events: list[Event], commits: Iterable[CommitDetails]) -> set[str]:
    """Return the names of commits, and of those that git's hook noted."""
    return commits_in(events) | {listed_commit(commit).sha for commit in commits}


def checkpoints_of(workspace: Workspace, client_session_id: str) -> list[Checkpoint]:
    return checkpoints_in(
        workspace.store.journal.lines(journal_name(client_session_id))
    )


def belongs(commit: CommitDetails, events: list[Event]) -> bool:
    """Tell whether a commit, of which nothing else tells, counts as the conversation's.

    One that edited nothing may have worked through a shell; but not where that shell
    would have named it. Of one that hooks do not tell of nothing is seen.
    """
    if edited := edited_paths(events):
        return any(file.path in edited for file in commit.files)
    is_seen = bool(events) and not is_unhooked(reversed(events))
    maker = assistant_named(events[-1].tool) if is_seen else None
    return maker is None or not maker.names_itself_in_shell


def _with_files(
    checkpoint: Checkpoint, works: list[Work], files: list[FileChange]
) -> Checkpoint:
    """Raises Damaged where objects are missing, and NoPermission for a closed file."""
    session, meanwhile = works[0].session, list[str]()
    for work in works:
        installed = _installed(work.workspace) | (SETTINGS - edited_paths(work.events))
        uncommitted, changed = uncommitted_files(work)
        files = [file for file in (*files, *uncommitted) if file.path not in installed]
        meanwhile += [path for path in changed if path not in installed]
    touched = merge_files((), files)
    if meanwhile or (session and session.changed_meanwhile):
        paths = tuple(dict.fromkeys(meanwhile))[:MEANWHILE_LIMIT]
        checkpoint = replace(checkpoint, changed_meanwhile=paths)
    if len(touched) > FILES_LIMIT:
        return replace(checkpoint, diff_summary=f"{len(touched):,} files changed.")
    summary = _summary(works[-1], touched)
    return replace(checkpoint, files=touched, diff_summary=summary)


def _installed(workspace: Workspace) -> set[str]:
    """Return files that are as `ocm init` left them: nobody's work."""
    root, paths = workspace.root.resolve(), set[str]()
    for file in installed_files(workspace.repository.common_dir):
        with suppress(OSError):
            is_here = Path(file.root).resolve() == root
            if is_here and is_intact(file, read_own(root / file.path)):
                paths.add(file.path)
    return paths


def _own_commits(work: Work) -> list[CommitDetails]:
    git, beginning = work.workspace.repository, _beginning(work)
    if beginning is None or work.head is None:
        return []
    since, began = beginning
    email = git.config("user.email")
    commits = git.commits_between(since, work.head)
    new_commits = [c for c in reversed(commits) if c.committer.when >= began]
    if since is None and work.session and len(new_commits) < len(commits):
        return []  # there were commits before, and nothing tells which one was HEAD
    local, noted_shas = committed_here(git), commits_in(work.events)
    own_commits = [
        commit
        for commit in new_commits
        if listed_commit(commit).sha in noted_shas
        or (
            commit.committer.email == email
            and (local is None or commit.oid in local)  # else pulled or merged
            and belongs(commit, work.events)
        )
    ]
    if not own_commits:
        return []
    of_others = _commits_of_others(work.workspace, work.client_session_id)
    return [c for c in own_commits if listed_commit(c).sha not in of_others]


def _commits_of_others(workspace: Workspace, client_session_id: str) -> set[str]:
    own_name = journal_name(client_session_id)
    names = islice(workspace.store.journal.newest_first(), RECENT)
    logs = [workspace.store.journal.lines(name) for name in names if name != own_name]
    checkpoints = [checkpoint for lines in logs for checkpoint in checkpoints_in(lines)]
    return {commit.sha for c in checkpoints for commit in c.commits}.union(
        (rewrite.new.sha for c in checkpoints for rewrite in c.rewritten),
        *(commits_in(events_in(lines)) for lines in logs),
    )


def _beginning(work: Work) -> tuple[Oid | None, datetime] | None:
    """The HEAD after which commits are the session's, and the time of that.

    HEAD is None where there was no commit yet.
    """
    session, state = work.session, last_work_tree_state(work.events)
    if state and (session is None or state.at >= session.updated_at):
        return state.head, state.at
    return (session.git_sha_end, session.started_at) if session else None


def _summary(work: Work, touched: tuple[FileChange, ...]) -> str | None:
    """The size of the session's work since it began; None where nothing differs."""
    git, session = work.workspace.repository, work.session
    if git.work_tree is None:
        return None
    paths = {file.path for file in (*(session.files if session else ()), *touched)}
    stats = stats_since(git, _start(work) or work.head, paths) if paths else ()
    return _sentence(stats) if stats else None


def _start(work: Work) -> Oid | None:
    if work.session and work.session.git_sha_start:
        return work.session.git_sha_start
    return next(
        (event.head for event in work.events if isinstance(event, WorkTreeState)), None
    )


def _sentence(stats: tuple[FileStat, ...]) -> str:
    counts = [
        f"{counted(count, 'file')} {change}"
        for change in Change
        if (count := sum(stat.file.change is change for stat in stats))
    ]
    added = sum(stat.insertions for stat in stats)
    removed = sum(stat.deletions for stat in stats)
    most = nlargest(
        _KEY_FILES, stats, key=lambda stat: stat.insertions + stat.deletions
    )
    key = (f"{stat.file.path} +{stat.insertions} / -{stat.deletions}" for stat in most)
    totals = f"{', '.join(counts)}. +{added} / -{removed} lines."
    return f"{totals} Key changes: {', '.join(key)}." if len(stats) > 1 else totals
