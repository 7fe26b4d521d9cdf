"""Derive a session from a transcript, as events of hooks would have made it.

Text is redacted as a whole before it is cut: a secret cut in two would not be found.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from gitmem.actions.saving.facts import named
from gitmem.actions.saving.hook_events import FILES_LIMIT
from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.transcripts import Transcript
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.conversation.conversation import answers, prompts
from gitmem.documents.event import TODO_LENGTH, TODOS_LIMIT, Todo, Todos, Trigger
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.checkpoint import Checkpoint, merge_files
from gitmem.documents.session.gist import (
    SUMMARY_LENGTH,
    answers_of,
    ending_of,
    goal_of,
    prompts_of,
)
from gitmem.documents.session.kind import AHEAD
from gitmem.documents.session.naming import slug_from
from gitmem.documents.session.observed import standing_todos
from gitmem.documents.session.record import Record
from gitmem.documents.session.session import GoalSource, Status
from gitmem.errors import Damaged
from gitmem.frozen import frozen
from gitmem.git.values import Commit, FileChange
from gitmem.redaction.redact import PRIVATE_MARK, redact, redacted_start
from gitmem.workspace import Workspace

OVER = timedelta(hours=12)
"""After so long, a conversation counts as over."""
COMMITS_LIMIT = 1000
BRANCH_LENGTH = 255
"""Characters."""


@frozen
class Derived:
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


def derived(
    transcript: Transcript, workspace: Workspace, here: RepositoryFolders
) -> Derived | None:
    """Return the session of a transcript; None without prompt and edit."""
    typed, files = list(_typed(transcript)), _files(transcript, here)
    if transcript.checkpoint:
        made = _as_written(transcript, transcript.checkpoint, workspace)
        return _derived(transcript, workspace, made, 0)
    if not typed and not files:
        return None
    goal = goal_of(typed)
    made = replace(
        _checkpoint(transcript, workspace),
        commits=_commits(transcript, workspace),
        goal=goal,
        slug=slug_from(goal),
        prompts=prompts_of(typed),
        answers=answers_of(answers(transcript.turns)),
        last_answer=ending_of("".join([*answers(transcript.turns)][-1:])),
        client_summary=redacted_start(transcript.summary, SUMMARY_LENGTH),
        files=files,
    )
    return _derived(transcript, workspace, made, len(typed))


def _as_written(
    transcript: Transcript, written: Checkpoint, workspace: Workspace
) -> Checkpoint:
    facts = _checkpoint(transcript, workspace)
    is_open = written.status in (None, Status.OPEN)
    status = facts.status if is_open else written.status
    return replace(written, at=facts.at, trigger=facts.trigger, status=status)


def _derived(
    transcript: Transcript, workspace: Workspace, made: Checkpoint, prompt_count: int
) -> Derived:
    record = Record(
        tool=transcript.tool,
        project=workspace.project,
        client_session_id=clean_client_id(transcript.client_session_id),
        session_id=None,
        checkpoint=made,
    )
    began_at = workspace.local(transcript.began_at)
    return Derived(record, min(began_at, made.at), prompt_count)


def _checkpoint(transcript: Transcript, workspace: Workspace) -> Checkpoint:
    ended_at = workspace.local(transcript.ended_at)
    completed, pending = _todos(transcript, ended_at)
    return Checkpoint(
        at=ended_at,
        trigger=Trigger.IMPORT,
        status=Status.CLOSED if workspace.now() - ended_at > OVER else Status.OPEN,
        goal_source=GoalSource.DERIVED,
        work_completed=completed,
        work_pending=pending,
        branch=_branch(transcript),
        parent=clean_client_id(transcript.parent) if transcript.parent else "",
        program=transcript.program,
    )


def _branch(transcript: Transcript) -> str | None:
    name = transcript.branch or ""
    return name if 0 < len(name) <= BRANCH_LENGTH else None


def _typed(transcript: Transcript) -> Iterator[str]:
    """Yield the prompts, redacted, without those that are private."""
    for prompt in map(redact, prompts(transcript.turns)):
        if prompt.replace(PRIVATE_MARK, "").strip():
            yield prompt


def _files(transcript: Transcript, here: RepositoryFolders) -> tuple[FileChange, ...]:
    edits = (seen for seen in transcript.events if seen.kind is EventKind.EDIT)
    files = (
        FileChange(path, edit.change)
        for edit in edits
        if (path := here.path_of(edit.folder or transcript.folder, edit.path))
    )
    return merge_files((), files)[:FILES_LIMIT]


def _todos(
    transcript: Transcript, at: datetime
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Return what is done and what is left; None without a list."""
    said = [seen for seen in transcript.events if seen.kind is EventKind.TODOS]
    if not said:
        return (), None
    todos = standing_todos(_event(transcript, each, at) for each in said)
    return _texts(todos, done=True), _texts(todos, done=False)


def _event(transcript: Transcript, seen: HookEvent, at: datetime) -> Todos:
    return Todos(
        at=at,
        tool=transcript.tool,
        client_session_id=transcript.client_session_id,
        root=transcript.folder,
        items=seen.todos[:TODOS_LIMIT],
        is_whole=seen.is_whole_list,
    )


def _texts(todos: Iterable[Todo], *, done: bool) -> tuple[str, ...]:
    return tuple(
        redact(todo.text)[:TODO_LENGTH] for todo in todos if bool(todo.done) is done
    )


def _commits(transcript: Transcript, workspace: Workspace) -> tuple[Commit, ...]:
    """Return the printed commits that git knows here, without those amended later."""
    printed = transcript.commits[:COMMITS_LIMIT]
    known = [(made, _commit_of(workspace, made.sha)) for made in printed]
    found: list[Commit] = []
    amended = set[str]()
    for made, commit in reversed(known):
        if commit is None:
            continue
        if made.branch not in amended and not any(map(commit.is_same, found)):
            found.append(commit)
        (amended.add if made.is_amended else amended.discard)(made.branch)
    return tuple(reversed(found))


def _commit_of(workspace: Workspace, sha: str) -> Commit | None:
    git = workspace.repository
    with suppress(Damaged):
        full_name = git.full_name(sha)
        details = git.commit_details(full_name) if full_name else None
        return named(details) if details else None
    return None
