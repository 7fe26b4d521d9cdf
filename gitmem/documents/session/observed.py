"""What the events of a conversation come to, where nobody calls a tool.

The first prompt that says something is the goal, marked as derived; files are those
that were edited; the assistant's own to-do list says what is done and what is left,
until the assistant writes such lists itself. Prompts, answers and what a shell wrote
come from the transcript, as far as it was read on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar

from gitmem.documents.event import (
    Committed,
    Compaction,
    Edit,
    End,
    Event,
    Fork,
    Interrupted,
    Nudge,
    Prompt,
    Todo,
    TodoList,
    Todos,
    TranscriptRead,
    Trigger,
    WorkTreeState,
)
from gitmem.documents.event_log import last_sign, other_repositories
from gitmem.documents.session.checkpoint import Checkpoint
from gitmem.documents.session.gist import ANSWERS_LIMIT, goal_of, prompts_of
from gitmem.documents.session.session import GoalSource, Status
from gitmem.git.values import Commit, FileChange

E = TypeVar("E", bound=Event)


def observed(
    events: Sequence[Event], earlier: Sequence[Event], checkpoints: Sequence[Checkpoint]
) -> Checkpoint:
    """The checkpoint that `events`, at least one, are worth.

    `earlier` are the conversation's events before them, `checkpoints` its checkpoints.
    """
    every = [*earlier, *events]
    checkpoint = Checkpoint(
        at=events[-1].at,
        trigger=_trigger(events),
        status=status_after(every, checkpoints),
        parent=next((fork.parent for fork in _of_kind(Fork, every)), ""),
        program=_program(every),
        other_repositories=len(other_repositories(every)),
        goal=goal_of(_prompts(every)),
        goal_source=GoalSource.DERIVED,
        prompts=prompts_of(_prompts(every)),
        answers=_newest_answers(every),
        last_answer=_newest(
            event.last_answer for event in _of_kind(TranscriptRead, events)
        ),
        client_summary=_newest(
            event.summary for event in _of_kind(TranscriptRead, events)
        ),
        files=tuple(_files(events)),
        commits=tuple(Commit(e.sha, e.subject) for e in _of_kind(Committed, events)),
    )
    if any(_todo_lists(events)) and not any(map(_has_lists, checkpoints)):
        todos = standing_todos(_todo_lists(every))
        checkpoint = replace(
            checkpoint,
            work_completed=tuple(todo.text for todo in todos if todo.done),
            work_pending=tuple(todo.text for todo in todos if not todo.done),
        )
    if not has_content(checkpoint):
        return checkpoint
    return _with_place(checkpoint, every, checkpoints)


def has_content(checkpoint: Checkpoint) -> bool:
    """Whether it is worth a session: one that only began and ended is none."""
    return bool(
        checkpoint.goal
        or checkpoint.files
        or checkpoint.commits
        or checkpoint.work_completed
        or checkpoint.work_pending
    )


def status_after(events: Sequence[Event], checkpoints: Sequence[Checkpoint]) -> Status:
    """Closed after the end; interrupted where the client's process was gone instead.

    One that its assistant froze says more as it is, and so does one that it closed
    before the process was gone.
    """
    last_event = last_sign(reversed(events))
    if not isinstance(last_event, End | Interrupted):
        return Status.OPEN
    status = checkpoints[-1].status if checkpoints else None
    if status is Status.FROZEN:
        return status
    if isinstance(last_event, End):
        return Status.CLOSED
    return Status.CLOSED if _is_settled(events, checkpoints) else Status.INTERRUPTED


def _is_settled(events: Sequence[Event], checkpoints: Sequence[Checkpoint]) -> bool:
    """Whether its assistant closed it, and nothing was asked or done since."""
    life = (e for e in reversed(events) if not isinstance(e, Interrupted | Nudge))
    last_event = last_sign(life)
    is_closed = bool(checkpoints) and checkpoints[-1].status is Status.CLOSED
    return is_closed and (last_event is None or last_event.at <= checkpoints[-1].at)


def standing_todos(lists: Iterable[Todos | TodoList]) -> list[Todo]:
    """The to-do list as it stands after all that was said of it, in its order."""
    standing: dict[str, Todo] = {}
    for todos in lists:
        if todos.is_whole:
            standing.clear()
        for todo in todos.items:
            former = standing.get(todo.id, todo)
            done = former.done if todo.done is None else todo.done
            standing[todo.id] = replace(todo, text=todo.text or former.text, done=done)
    return [todo for todo in standing.values() if todo.text and not todo.is_dropped]


def _todo_lists(events: Iterable[Event]) -> Iterator[Todos | TodoList]:
    for event in events:
        if isinstance(event, Todos):
            yield event
        elif isinstance(event, TranscriptRead):
            yield from event.todos


def _prompts(events: Iterable[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, Prompt):
            yield event.text
        elif isinstance(event, TranscriptRead):
            yield from event.prompts


def _program(events: Iterable[Event]) -> str:
    """The program that held all of the conversation; "" where a person took part."""
    programs = (event.program for event in _of_kind(TranscriptRead, events))
    return min((program for program in programs if program is not None), default="")


def _newest_answers(events: Iterable[Event]) -> tuple[str, ...]:
    lines = chain.from_iterable(
        event.answers for event in _of_kind(TranscriptRead, events)
    )
    return tuple(dict.fromkeys(lines))[-ANSWERS_LIMIT:]


def _newest(texts: Iterable[str]) -> str:
    return next(filter(None, reversed(list(texts))), "")


def _files(events: Iterable[Event]) -> Iterator[FileChange]:
    for event in events:
        if isinstance(event, Edit):
            yield FileChange(event.path, event.change)
        elif isinstance(event, TranscriptRead):
            yield from event.files


def _trigger(events: Sequence[Event]) -> Trigger:
    if isinstance(last_sign(reversed(events)), End):
        return Trigger.SESSION_END
    if any(_of_kind(Compaction, events)):
        return Trigger.CONTEXT_LIMIT
    return Trigger.OBSERVED


def _has_lists(checkpoint: Checkpoint) -> bool:
    return bool(checkpoint.work_completed) or checkpoint.work_pending is not None


def _with_place(
    checkpoint: Checkpoint, events: Sequence[Event], checkpoints: Iterable[Checkpoint]
) -> Checkpoint:
    """Where the conversation is, until a checkpoint says it better."""
    state = next(iter(_of_kind(WorkTreeState, reversed(events))), None)
    if state is None or any(c.at >= state.at for c in checkpoints):
        return checkpoint
    return replace(checkpoint, branch=state.branch, head=state.head)


def _of_kind(kind: type[E], events: Iterable[Event]) -> Iterator[E]:
    return (event for event in events if isinstance(event, kind))
