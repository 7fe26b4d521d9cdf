"""Bringing the index to where the memory is."""

from collections.abc import Callable

from gitmem.search.index import Index
from gitmem.workspace import Workspace

Progress = Callable[[int, int], None]
"""Called with (done, total), only when the work takes longer than a second."""


def caught_up_index(workspace: Workspace, progress: Progress | None = None) -> Index:
    """The index, after it has learned what the memory has."""
    index = workspace.open_index()
    if tip := workspace.memory().commit:
        index.catch_up(tip, workspace.store.changes, progress)
    return index
