"""The search index: brought to where the memory is, or made anew."""

from collections.abc import Iterator

from gitmem.actions.doctor.memory import IndexState, index_state
from gitmem.actions.reading.catch_up import caught_up_index, rebuild_index
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def index(workspace: Workspace) -> Iterator[str]:
    """Raises NoPermission and Busy."""
    if index_state(workspace) in (IndexState.UNUSABLE, IndexState.DAMAGED):
        count = rebuild_index(workspace)
        yield f"the index was made anew from {counted(count, 'session')}"
    else:
        caught_up_index(workspace)
        yield "the index has caught up with the memory"
