"""What the events of a conversation come to, where nobody calls a tool.

The first prompt that says something is the goal, marked as derived; files are those
that were edited; the assistant's own to-do list says what is done and what is left,
until the assistant writes such lists itself.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from gitmem.model.checkpoint import Checkpoint
from gitmem.model.event import (
    Committed,
    Compaction,
    Edit,
    End,
    Event,
    Found,
    Prompt,
    Todo,
    Todos,
)
from gitmem.model.gist import goal_of
from gitmem.model.session import (
    Commit,
    FileChange,
    GoalSource,
    Status,
    Trigger,
)

E = TypeVar("E", bound=Event)


def observed(
    events: Sequence[Event], earlier: Sequence[Event], written: Sequence[Checkpoint]
) -> Checkpoint:
    """The checkpoint that `events`, at least one, are worth.

    `earlier` are the conversation's events before them, `written` its checkpoints.
    """
    checkpoint = Checkpoint(
        at=events[-1].at,
        trigger=_trigger(events),
        status=status_after([*earlier, *events], written),
        goal=goal_of(prompt.text for prompt in _of(Prompt, events)),
        goal_source=GoalSource.DERIVED,
        files=tuple(FileChange(edit.path, edit.change) for edit in _of(Edit, events)),
        commits=tuple(
            Commit(made.sha, made.subject) for made in _of(Committed, events)
        ),
    )
    if any(_of(Todos, events)) and not any(map(_has_lists, written)):
        todos = standing_todos(_of(Todos, [*earlier, *events]))
        checkpoint = replace(
            checkpoint,
            work_completed=tuple(todo.text for todo in todos if todo.done),
            work_pending=tuple(todo.text for todo in todos if not todo.done),
        )
    if not has_content(checkpoint):
        return checkpoint
    return _with_place(checkpoint, [*earlier, *events], written)


def has_content(checkpoint: Checkpoint) -> bool:
    """Whether it is worth a session: one that only began and ended is none."""
    return bool(
        checkpoint.goal
        or checkpoint.files
        or checkpoint.commits
        or checkpoint.work_completed
        or checkpoint.work_pending
    )


def status_after(events: Sequence[Event], written: Sequence[Checkpoint]) -> Status:
    """Closed after the end; one that its assistant froze says more as it is.

    A commit may be noted after the end of the conversation that made it.
    """
    last = next((e for e in reversed(events) if not isinstance(e, Committed)), None)
    if not isinstance(last, End):
        return Status.OPEN
    is_frozen = written and written[-1].status is Status.FROZEN
    return Status.FROZEN if is_frozen else Status.CLOSED


def standing_todos(lists: Iterable[Todos]) -> list[Todo]:
    """The to-do list as it stands after all that was said of it, in its order."""
    known: dict[str, Todo] = {}
    for event in lists:
        if event.is_whole:
            known.clear()
        for todo in event.items:
            before = known.get(todo.id, todo)
            done = before.done if todo.done is None else todo.done
            known[todo.id] = replace(todo, text=todo.text or before.text, done=done)
    return [todo for todo in known.values() if todo.text and not todo.is_dropped]


def _trigger(events: Sequence[Event]) -> Trigger:
    if isinstance(events[-1], End):
        return Trigger.SESSION_END
    if any(_of(Compaction, events)):
        return Trigger.CONTEXT_LIMIT
    return Trigger.OBSERVED


def _has_lists(checkpoint: Checkpoint) -> bool:
    return bool(checkpoint.work_completed) or checkpoint.work_pending is not None


def _with_place(
    checkpoint: Checkpoint, events: Sequence[Event], written: Iterable[Checkpoint]
) -> Checkpoint:
    """Where the conversation is, until a checkpoint says it better."""
    found = next(iter(_of(Found, reversed(events))), None)
    if found is None or any(each.at >= found.at for each in written):
        return checkpoint
    return replace(checkpoint, branch=found.branch, head=found.head)


def _of(kind: type[E], events: Iterable[Event]) -> Iterator[E]:
    return (event for event in events if isinstance(event, kind))
