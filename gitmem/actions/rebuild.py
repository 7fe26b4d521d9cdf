"""Making the search index anew, out of the memory."""

from gitmem.actions.catch_up import caught_up_index
from gitmem.errors import Busy, NoPermission
from gitmem.search.folder import LockedError, UnusableError, locked, made
from gitmem.search.index import Progress
from gitmem.workspace import Workspace


def rebuild_index(workspace: Workspace, progress: Progress | None = None) -> int:
    """Drop the index and build it from the tip; gives the number of sessions in it.

    Raises NoPermission where it cannot be written, and Busy where another process is
    writing it.
    """
    folder = workspace.index_folder
    try:
        with locked(workspace.index_lock):
            made(folder)
    except UnusableError as error:
        raise NoPermission(f"The index in {folder} cannot be written.") from error
    except LockedError as error:
        raise Busy(f"Another process is writing the index in {folder}") from error
    caught_up_index(workspace, progress)
    return sum(1 for _ in workspace.drained_memory().ids())
