"""What stands in our places, locks, rights of others, files that say nothing."""

from collections.abc import Iterator

from gitmem.actions.doctor.copies import stale_copies
from gitmem.actions.doctor.leftovers import damaged_files, dead_locks, open_to_others
from gitmem.store.lock import locked
from gitmem.store.path_conflicts import misplaced
from gitmem.store.readable_copies import remove_copies, write_copy
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def places(workspace: Workspace) -> Iterator[str]:
    """Without a lock: it may be the lock that cannot be taken."""
    for each in misplaced(workspace.repository.common_dir):
        if not each.may_be_meant:
            aside = each.set_aside()
            yield f"{each.name} was moved aside: it is {aside.name} now"


def locks(workspace: Workspace) -> Iterator[str]:
    """Under the lock of writers: none of ours is in the middle of moving a ref."""
    with locked(workspace.store.lock):
        for path in dead_locks(workspace):
            path.unlink(missing_ok=True)
            yield f"{path.name} was removed"


def permissions(workspace: Workspace) -> Iterator[str]:
    paths = open_to_others(workspace)
    for path in paths:
        path.chmod(path.stat().st_mode & 0o700)
    if paths:
        yield f"{counted(len(paths), 'path')} can be read and written by you alone now"


def own_files(workspace: Workspace) -> Iterator[str]:
    """They come back: marks by a replay, the others with the next sync."""
    with locked(workspace.store.lock):
        for path in damaged_files(workspace):
            path.unlink(missing_ok=True)
            yield f"{path.name} was removed"
    workspace.store.replay()


def copies(workspace: Workspace) -> Iterator[str]:
    """Written anew, or removed where there is no such session any more."""
    variables = workspace.environment.variables
    for stale in list(stale_copies(workspace)):
        folder, session_id = stale.path.parent, stale.path.stem
        if stale.document is None:
            remove_copies(folder, session_id.__eq__, variables)
            yield f"the copy of {session_id} was removed"
        elif write_copy([folder], session_id, stale.document, variables):
            yield f"the copy of {session_id} was written anew"
