"""What gathers beside the memory, kept small: where nobody waits for it."""

from contextlib import suppress

from gitmem.actions import detached
from gitmem.errors import GitmemError
from gitmem.git.layout import own_dir
from gitmem.git.packs.packing import is_due, pack_own
from gitmem.store.disk_limits import tidy
from gitmem.store.lock import locked
from gitmem.workspace import Workspace


def run_maintenance(workspace: Workspace) -> None:
    """Pack our objects, put old journals away, sweep what killed processes left.

    Only where there is something to do, which is seen at a glance. Whatever hinders it
    is met again the next time, and costs nothing until then.
    """
    git, store = workspace.repository, workspace.store
    with suppress(GitmemError, OSError):
        _pack(workspace)
    with suppress(GitmemError, OSError):
        now = workspace.now().timestamp()
        tidy(git.common_dir, store.lock, store.journal, now)


def start_maintenance(workspace: Workspace) -> None:
    """The same by a process that nobody waits for, once there is much to pack.

    For those whose hooks do not see to it. Looking costs a tenth of a millisecond.
    """
    git, variables = workspace.repository, workspace.environment.variables
    with suppress(GitmemError, OSError):
        if is_due(git, variables):
            detached.start_in(git.common_dir, "house")


def _pack(workspace: Workspace) -> None:
    """Raises Busy where another process does it, and waits for none."""
    git, variables = workspace.repository, workspace.environment.variables
    if is_due(git, variables):
        with locked(own_dir(git.common_dir) / "packing.lock", patience=0):
            pack_own(git, variables)
