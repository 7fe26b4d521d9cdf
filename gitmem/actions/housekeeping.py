"""What gathers beside the memory, kept small: where nobody waits for it."""

from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.store.git.packing import pack_own
from gitmem.store.local.tidying import tidy
from gitmem.workspace import Workspace


def keep_house(workspace: Workspace) -> None:
    """Pack our objects, put old journals away, sweep what killed processes left.

    Only where there is something to do, which is seen at a glance. Whatever hinders it
    is met again the next time, and costs nothing until then.
    """
    git, store = workspace.repository, workspace.store
    with suppress(GitmemError, OSError):
        pack_own(git, workspace.environment.variables)
    with suppress(GitmemError, OSError):
        now = workspace.now().timestamp()
        tidy(git.common_dir, store.lock, store.journal, now)
