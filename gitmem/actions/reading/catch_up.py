"""Bringing the index to where the memory is, and asking it."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from gitmem.errors import Damaged
from gitmem.model.counting import Progress
from gitmem.search.index import Index
from gitmem.store.trees.changes import changes, state
from gitmem.workspace import Workspace

T = TypeVar("T")


def ask_index(
    workspace: Workspace,
    question: Callable[[Index], T],
    progress: Progress | None = None,
) -> T:
    """What the index answers, after it has learned what the memory has.

    What is pending is not drained: whoever asks has done so, where it matters.
    `progress` is called with (done, total) once that takes longer than a second. An
    index that turns out to be damaged is built anew, and asked again.
    """
    try:
        return question(caught_up_index(workspace, progress))
    except Damaged:
        return question(caught_up_index(workspace, progress))


def caught_up_index(workspace: Workspace, progress: Progress | None = None) -> Index:
    index = workspace.open_index()
    memory, said = workspace.store.memory(), workspace.conversations
    tip = state(memory, said)
    if tip or index.tip:
        known = partial(changes, workspace.repository, memory, said)
        index.catch_up(tip, known, progress)
    return index
