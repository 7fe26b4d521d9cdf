"""What a transcript comes to as a session, where nobody wrote one.

It is what the events of a hook would have come to (`gitmem.model.observed`), had one
been there. What is shortened is redacted before, as a whole: a secret that was cut in
two could not be told.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from gitmem.actions.importing.here import Here
from gitmem.actions.saving.facts import FILES_LIMIT, named
from gitmem.assistants.protocol import Seen, What
from gitmem.assistants.transcripts.transcript import Transcript
from gitmem.errors import Damaged
from gitmem.model.checkpoint import Checkpoint, merge_files
from gitmem.model.conversation import answers, prompts
from gitmem.model.event import (
    TODO_LENGTH,
    TODOS_LIMIT,
    Todo,
    Todos,
)
from gitmem.model.gate.redaction import PRIVATE_MARK, redact
from gitmem.model.gist import answers_of, goal_of, prompts_of
from gitmem.model.identity import clean_client_id
from gitmem.model.observed import standing_todos
from gitmem.model.oddities import AHEAD
from gitmem.model.record import Record
from gitmem.model.session import (
    Commit,
    FileChange,
    GoalSource,
    Status,
    Trigger,
)
from gitmem.workspace import Workspace

OVER = timedelta(hours=12)
"""So long after its last word nobody goes on with a conversation, as a rule."""
COMMITS_LIMIT = 1000
SUBJECT_LENGTH = 300
"""Characters of a subject that are kept where git does not know the commit."""
BRANCH_LENGTH = 255
"""Characters; file systems allow no branch a longer name, nor a header its value."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A session as a transcript has it."""

    record: Record
    began_at: datetime
    prompt_count: int
    """How many the person typed; the checkpoint lists the first ones."""


def is_of_our_time(transcript: Transcript, workspace: Workspace) -> bool:
    """Whether it was held in a time that can be, and be told in every zone."""
    moments = transcript.began_at, transcript.ended_at
    if not all(1970 < moment.year < 9999 for moment in moments):
        return False
    latest = workspace.now() + AHEAD
    return all(workspace.local(moment) <= latest for moment in moments)


def derived(transcript: Transcript, workspace: Workspace, here: Here) -> Derived | None:
    """None where there is nothing worth a session: no prompt and no edit."""
    typed, files = list(_typed(transcript)), _files(transcript, here)
    if not typed and not files:
        return None
    made = replace(
        _checkpoint(transcript, workspace),
        goal=goal_of(typed),
        prompts=prompts_of(typed),
        answers=answers_of(answers(transcript.turns)),
        files=files,
    )
    record = Record(
        tool=transcript.tool,
        project=workspace.project,
        client_session_id=clean_client_id(transcript.client_session_id),
        session_id=None,
        checkpoint=made,
    )
    began_at = workspace.local(transcript.began_at)
    return Derived(record, min(began_at, made.at), len(typed))


def _checkpoint(transcript: Transcript, workspace: Workspace) -> Checkpoint:
    """All but what was asked and what was edited."""
    ended_at = workspace.local(transcript.ended_at)
    completed, pending = _todos(transcript, ended_at)
    commits = transcript.commits[:COMMITS_LIMIT]
    return Checkpoint(
        at=ended_at,
        trigger=Trigger.IMPORT,
        status=Status.CLOSED if workspace.now() - ended_at > OVER else Status.OPEN,
        goal_source=GoalSource.DERIVED,
        work_completed=completed,
        work_pending=pending,
        commits=tuple(_as_git_knows(workspace, each) for each in commits),
        branch=_branch(transcript),
    )


def _branch(transcript: Transcript) -> str | None:
    """None where no branch can have that name."""
    name = transcript.branch or ""
    return name if 0 < len(name) <= BRANCH_LENGTH else None


def _typed(transcript: Transcript) -> Iterator[str]:
    """The prompts, redacted, but for those that are private altogether."""
    for prompt in map(redact, prompts(transcript.turns)):
        if prompt.replace(PRIVATE_MARK, "").strip():
            yield prompt


def _files(transcript: Transcript, here: Here) -> tuple[FileChange, ...]:
    edits = (seen for seen in transcript.seen if seen.what is What.EDIT)
    files = (
        FileChange(path, edit.change)
        for edit in edits
        if (path := here.path_of(edit.folder or transcript.folder, edit.path))
    )
    return merge_files((), files)[:FILES_LIMIT]


def _todos(
    transcript: Transcript, at: datetime
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """What is done and what is left; None where there never was a list."""
    said = [seen for seen in transcript.seen if seen.what is What.TODOS]
    if not said:
        return (), None
    todos = standing_todos(_event(transcript, each, at) for each in said)
    return _texts(todos, done=True), _texts(todos, done=False)


def _event(transcript: Transcript, seen: Seen, at: datetime) -> Todos:
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


def _as_git_knows(workspace: Workspace, printed: Commit) -> Commit:
    """The commit by its own name and subject; as it was printed where it is not here.

    It may have been amended since, or made in another repository.
    """
    git = workspace.repository
    with suppress(Damaged):
        full_name = git.full_name(printed.sha)
        details = git.commit_details(full_name) if full_name else None
        if details:
            return named(details)
    return replace(printed, subject=redact(printed.subject)[:SUBJECT_LENGTH])
