"""Which of the uncommitted files are the work of a conversation, and which of others.

Where nobody saw a conversation at work (a person saves by hand, or an assistant without
hooks), git alone says what differs, and an earlier conversation may have left that
behind. To name such a file is not to have changed it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, islice, repeat
from pathlib import Path

from gitmem.actions.saving.hook_events import RECENT, events_of_others, open_here
from gitmem.documents.event import Event, Start, TranscriptRead, WorkTreeState
from gitmem.documents.event_log import (
    edited_paths,
    events_in,
    is_shell_seen,
    last_work_tree_state,
)
from gitmem.documents.session.record import checkpoints_in
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.files import changed_at, is_folder
from gitmem.git.layout import FOLDER
from gitmem.git.values import Change, FileChange, Oid
from gitmem.git.work_tree import changes_since
from gitmem.store.journal.journal import journal_name
from gitmem.workspace import Workspace


@frozen
class Work:
    """A conversation at work, with what is known of it."""

    workspace: Workspace
    client_session_id: str
    session: Session | None
    events: list[Event]
    head: Oid | None


def uncommitted_files(work: Work) -> tuple[list[FileChange], tuple[str, ...]]:
    """Return what is not in a commit yet, and the paths of what changed meanwhile.

    Without our own copies, and without what others did. Where the shell is seen, or
    nobody knows what differed at the start, a file is the session's if its tools or its
    shell touched it. What changed while a shell of another one ran is not.
    """
    git = work.workspace.repository
    if git.work_tree is None:
        return [], ()
    differing = changes_since(git, work.head)  # first: others edit meanwhile
    other_conversations = list(open_here(work.workspace, work.client_session_id))
    touched = edited_paths(work.events)
    if work.events:
        of_others = _not_own(work, other_conversations) - touched
    else:
        of_others = _left_by_others(work, differing)
        of_others = of_others.union(*map(edited_paths, other_conversations))
    candidates = [
        file
        for file in differing
        if file.path not in of_others
        and not file.path.startswith(f"{FOLDER}/")
        and not is_folder(work.workspace.root / file.path)  # a repository inside
    ]
    by_others = _by_shells(work, candidates, other_conversations) - touched
    if not (is_shell_seen(work.events) or _is_start_unseen(work.events)):
        return [file for file in candidates if file.path not in by_others], ()
    own_paths = touched | (_by_shells(work, candidates, [work.events]) - by_others)
    return (
        [file for file in candidates if file.path in own_paths],
        tuple(file.path for file in candidates if file.path not in own_paths),
    )


def _is_start_unseen(events: list[Event]) -> bool:
    """Whether nobody noted what differed at the start: the client left meanwhile."""
    has_start = any(isinstance(event, Start) and event.comes_first for event in events)
    return has_start and last_work_tree_state(events) is None


def _by_shells(
    work: Work, files: Iterable[FileChange], conversations: Sequence[list[Event]]
) -> set[str]:
    """Return what shells removed, and what changed while one of them ran."""
    events = chain.from_iterable(conversations)
    reads = [event for event in events if isinstance(event, TranscriptRead)]
    removed = {path for read in reads for path in read.removed}
    runs = [run for read in reads for run in read.runs]

    def is_by_shell(file: FileChange) -> bool:
        if file.change is Change.DELETED:
            return file.path in removed
        moment = changed_at(work.workspace.root / file.path)
        return any(run.holds(moment) for run in runs)

    return {file.path for file in files if is_by_shell(file)}


def _not_own(work: Work, other_conversations: Iterable[list[Event]]) -> set[str]:
    """Return what is as the conversation began, and what others edited since."""
    state, since = last_work_tree_state(work.events), work.events[0].at
    ended = events_of_others(work.workspace, work.client_session_id, since)
    edited = map(
        edited_paths, chain(other_conversations, ended)
    )  # their work outlives them
    return set(_unchanged_since(state) if state else ()).union(*edited)


def _unchanged_since(state: WorkTreeState) -> Iterator[str]:
    """Yield what differed when the conversation began, and was not changed since."""
    times = chain(state.changed, repeat(None))
    for path, at in zip(state.dirty, times, strict=False):
        if at in {None, changed_at(Path(state.root, path))}:
            yield path


def _left_by_others(work: Work, differing: Iterable[FileChange]) -> set[str]:
    """Return paths of files that are as another conversation left them."""
    left_at = dict(sorted(_changes_of_others(work)))
    return {
        file.path
        for file in differing
        if (at := left_at.get((file.path, file.change is Change.DELETED)))
        and changed_at(work.workspace.root / file.path) < at.timestamp() + 1
    }


def _changes_of_others(work: Work) -> Iterator[tuple[tuple[str, bool], datetime]]:
    """Yield each path with whether it was deleted, and when that was noted."""
    journal = work.workspace.store.journal
    own_name = journal_name(work.client_session_id)
    for name in islice(journal.newest_first(), RECENT):
        lines = journal.lines(name) if name != own_name else []
        for checkpoint in checkpoints_in(lines):
            for file in checkpoint.files:
                yield (file.path, file.change is Change.DELETED), checkpoint.at
        for event in events_in(lines):
            for path in edited_paths([event]):
                yield (path, False), event.at
