"""What git knows about a session without anybody saying it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from heapq import nlargest
from itertools import chain, islice, repeat
from pathlib import Path

from gitmem.actions.saving.hook_events import (
    FILES_LIMIT,
    RECENT,
    committed_in,
    edited_in,
    heard_of_others,
    is_shell_seen,
    last_found,
    others_read_on,
)
from gitmem.actions.saving.unseen_work import left_by_others
from gitmem.assistants.known import SETTINGS, assistant_named
from gitmem.documents.event import Event, Found, Heard, Start, events_in, is_unhooked
from gitmem.documents.session.checkpoint import Checkpoint, merge_files
from gitmem.documents.session.record import checkpoints_in
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged, NoPermission
from gitmem.frozen import frozen
from gitmem.git.files import changed_at, read_own
from gitmem.git.layout import FOLDER
from gitmem.git.plumbing.refs import committed_here
from gitmem.git.values import (
    COMMIT_LENGTH,
    Change,
    Commit,
    CommitDetails,
    FileChange,
    FileStat,
    Oid,
)
from gitmem.store.install_manifest import installed_files, is_intact
from gitmem.store.journal.journal import journal_name
from gitmem.text.counting import counted
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
    edited meanwhile or committed, commits of others, and everything where histories do
    not meet, are left out: a gap is better than a wrong link.
    """
    head = workspace.repository.head()
    known = replace(checkpoint, branch=head.branch, head=head.commit)
    events = workspace.store.journal.events(client_session_id)
    work = _Work(workspace, client_session_id, session, events, head.commit)
    with suppress(Damaged, NoPermission):  # objects, or a file, that are not to be read
        commits = _own_commits(work)
        known = replace(known, commits=tuple(map(named, commits)))
        known = _with_files(known, work, commits)
    return known


def named(commit: CommitDetails) -> Commit:
    return Commit(commit.oid[:COMMIT_LENGTH], commit.subject)


def checkpoints_of(workspace: Workspace, client_session_id: str) -> list[Checkpoint]:
    return checkpoints_in(
        workspace.store.journal.lines(journal_name(client_session_id))
    )


def may_be_of(commit: CommitDetails, events: list[Event]) -> bool:
    """Whether a conversation edited a file of the commit, or none that was seen."""
    edited = edited_in(events)
    return not edited or any(file.path in edited for file in commit.files)


def belongs(commit: CommitDetails, events: list[Event]) -> bool:
    """Whether a commit, of which nothing else tells, is taken for the conversation's.

    One that edited nothing may have worked through a shell; but not where that shell
    would have named it. Of one that hooks do not tell of nothing is seen.
    """
    is_seen = bool(events) and not is_unhooked(reversed(events))
    is_idle = is_seen and not edited_in(events)
    maker = assistant_named(events[-1].tool) if is_idle else None
    is_named = maker is not None and maker.names_itself_in_shell
    return may_be_of(commit, events) and not is_named


@frozen
class _Work:
    workspace: Workspace
    client_session_id: str
    session: Session | None
    events: list[Event]
    head: Oid | None


def _with_files(
    known: Checkpoint, work: _Work, commits: list[CommitDetails]
) -> Checkpoint:
    """Raises Damaged where objects are missing, and NoPermission for a closed file."""
    committed = (file for commit in commits for file in commit.files)
    uncommitted, meanwhile = _uncommitted(work)
    installed = _installed(work.workspace) | (SETTINGS - edited_in(work.events))
    done = (file for file in (*committed, *uncommitted) if file.path not in installed)
    touched = merge_files((), done)
    meanwhile = tuple(path for path in meanwhile if path not in installed)
    if meanwhile or (work.session and work.session.changed_meanwhile):
        known = replace(known, changed_meanwhile=meanwhile[:MEANWHILE_LIMIT])
    if len(touched) > FILES_LIMIT:
        return replace(known, diff_summary=f"{len(touched):,} files changed.")
    return replace(known, files=touched, diff_summary=_summary(work, touched))


def _installed(workspace: Workspace) -> set[str]:
    """Files that are as `ocm init` left them: nobody's work."""
    root, found = workspace.root.resolve(), set[str]()
    for each in installed_files(workspace.repository.common_dir):
        with suppress(OSError):
            is_here = Path(each.root).resolve() == root
            if is_here and is_intact(each, read_own(root / each.path)):
                found.add(each.path)
    return found


def _own_commits(work: _Work) -> list[CommitDetails]:
    git, beginning = work.workspace.repository, _beginning(work)
    if beginning is None or work.head is None:
        return []
    since, began = beginning
    email = git.config("user.email")
    commits = git.commits_between(since, work.head)
    made = [each for each in reversed(commits) if each.committer.when >= began]
    if since is None and work.session and len(made) < len(commits):
        return []  # there were commits before, and nothing tells which one was HEAD
    here, seen = committed_here(git), committed_in(work.events)
    own = [
        commit
        for commit in made
        if named(commit).sha in seen
        or (
            commit.committer.email == email
            and (here is None or commit.oid in here)  # else pulled or merged
            and belongs(commit, work.events)
        )
    ]
    if not own:
        return []
    others = _commits_of_others(work.workspace, work.client_session_id)
    return [commit for commit in own if named(commit).sha not in others]


def _commits_of_others(workspace: Workspace, client_session_id: str) -> set[str]:
    own = journal_name(client_session_id)
    names = islice(workspace.store.journal.newest_first(), RECENT)
    lines = [workspace.store.journal.lines(name) for name in names if name != own]
    written = [made for each in lines for made in checkpoints_in(each)]
    return {commit.sha for made in written for commit in made.commits}.union(
        (rewrite.new.sha for made in written for rewrite in made.rewritten),
        *(committed_in(events_in(each)) for each in lines),
    )


def _beginning(work: _Work) -> tuple[Oid | None, datetime] | None:
    """The HEAD after which commits are the session's, and the time of that.

    HEAD is None where there was no commit yet.
    """
    session, found = work.session, last_found(work.events)
    if found and (session is None or found.at >= session.updated_at):
        return found.head, found.at
    return (session.git_sha_end, session.started_at) if session else None


def _uncommitted(work: _Work) -> tuple[list[FileChange], tuple[str, ...]]:
    """What is not in a commit yet, but for our own copies, and for what others did.

    And the paths of what merely changed meanwhile: where the shell is seen, or nobody
    knows what differed at the start, a file is the session's if its tools or its shell
    touched it. What changed while a shell of another open conversation ran is not.
    """
    git = work.workspace.repository
    if git.work_tree is None:
        return [], ()
    changed = git.changes_since(work.head)  # first: others edit meanwhile
    others = list(others_read_on(work.workspace, work.client_session_id))
    touched = edited_in(work.events)
    if work.events:
        of_others = _not_own(work, others) - touched
    else:
        of_others = left_by_others(work.workspace, work.client_session_id, changed)
        of_others = of_others.union(*map(edited_in, others))
    differing = [
        file
        for file in changed
        if file.path not in of_others
        and not file.path.startswith(f"{FOLDER}/")
        and not file.path.endswith("/")  # a repository inside of this one
    ]
    by_others = _by_shells(work, differing, others) - touched
    if not (is_shell_seen(work.events) or _is_start_unseen(work.events)):
        return [file for file in differing if file.path not in by_others], ()
    own = touched | (_by_shells(work, differing, [work.events]) - by_others)
    return (
        [file for file in differing if file.path in own],
        tuple(file.path for file in differing if file.path not in own),
    )


def _is_start_unseen(events: list[Event]) -> bool:
    """Whether nobody noted what differed at the start: the client left meanwhile."""
    has_start = any(isinstance(each, Start) and each.comes_first for each in events)
    return has_start and last_found(events) is None


def _by_shells(
    work: _Work, files: Iterable[FileChange], of: Sequence[list[Event]]
) -> set[str]:
    """What shells of conversations removed, and what changed while one of them ran."""
    heard = [each for events in of for each in events if isinstance(each, Heard)]
    removed = {path for each in heard for path in each.gone}
    runs = [run for each in heard for run in each.runs]

    def is_by_one(file: FileChange) -> bool:
        if file.change is Change.DELETED:
            return file.path in removed
        moment = changed_at(work.workspace.root / file.path)
        return any(run.holds(moment) for run in runs)

    return {file.path for file in files if is_by_one(file)}


def _not_own(work: _Work, others: Iterable[list[Event]]) -> set[str]:
    """What is as it was when the conversation began, and what others edited since."""
    found, since = last_found(work.events), work.events[0].at
    over = heard_of_others(work.workspace, work.client_session_id, since)
    edited = map(edited_in, chain(others, over))  # their work outlives them
    return set(_as_found(found) if found else ()).union(*edited)


def _as_found(found: Found) -> Iterator[str]:
    """What differed when the conversation began, and was not changed since."""
    then = chain(found.changed, repeat(None))
    for path, at in zip(found.dirty, then, strict=False):
        if at in {None, changed_at(Path(found.root, path))}:
            yield path


def _summary(work: _Work, touched: tuple[FileChange, ...]) -> str | None:
    """The size of the session's work since it began; None where nothing differs."""
    git, session = work.workspace.repository, work.session
    if git.work_tree is None:
        return None
    paths = {file.path for file in (*(session.files if session else ()), *touched)}
    stats = git.stats_since(_start(work) or work.head, paths) if paths else ()
    return _sentence(stats) if stats else None


def _start(work: _Work) -> Oid | None:
    if work.session and work.session.git_sha_start:
        return work.session.git_sha_start
    return next((event.head for event in work.events if isinstance(event, Found)), None)


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
    told = f"{', '.join(counts)}. +{added} / -{removed} lines."
    return f"{told} Key changes: {', '.join(key)}." if len(stats) > 1 else told
