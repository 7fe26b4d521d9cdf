"""Making the search index anew, out of the memory."""

from gitmem.actions.reading.catch_up import caught_up_index
from gitmem.errors import Busy
from gitmem.search.index import Index
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace


def rebuild_index(workspace: Workspace, progress: Progress | None = None) -> int:
    """Drop the index and build it from the tip; gives the number of sessions in it.

    Raises NoPermission and Busy as Index.made_anew does.
    """
    Index.made_anew(workspace.index_folder, workspace.index_lock)
    memory = workspace.current_sessions()
    if extent := caught_up_index(workspace, progress).extent:
        raise Busy(f"Another process is building the index: {extent} so far.")
    return sum(1 for _ in memory.ids())
