"""Work on the repository: one call at a time, beside the event loop.

Neither git nor the index is for several threads, and both may block; so each call runs
in a thread, when the one before it is done. The repository is looked for in every call
(about a millisecond), because it may appear, move or vanish while a server runs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, to_thread

from gitmem.config import EVERYWHERE_SETTING, Environment
from gitmem.errors import NotFound

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

T = TypeVar("T")
NOT_ASKED = (
    "gitmem keeps no memory of this project; to have one, the user runs"
    " `ocm init --user` in it."
)


@dataclass(frozen=True)
class Worker:
    environment: Environment
    is_opt_in: bool = False
    """Whether a repository has to say yes before anything is done in it."""
    _one: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))

    async def run(
        self, action: Callable[["Workspace"], T], *, through_git: bool = False
    ) -> T:
        """What `action` gives. Raises what it raises, and NotARepository.

        And NotFound where the repository has to say yes and did not. A client that
        cancels waits until the work is done: a checkpoint is saved wholly or not
        at all. `through_git` is for what is asked of every server as it starts:
        libgit2 is not loaded then, which takes 0.2 s of processor time.
        """

        def on_repository() -> T:
            from gitmem.git.config import is_on
            from gitmem.workspace import open_workspace

            workspace = open_workspace(self.environment, through_git=through_git)
            if self.is_opt_in and not is_on(workspace.repository, EVERYWHERE_SETTING):
                raise NotFound(NOT_ASKED)
            return action(workspace)

        return await to_thread.run_sync(on_repository, limiter=self._one)
