"""Work on the repository: one call at a time, beside the event loop.

Neither git nor the index is for several threads, and both may block; so each call runs
in a thread, when the one before it is done. The repository is looked for in every call
(about a millisecond), because it may appear, move or vanish while a server runs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from anyio import CapacityLimiter, to_thread

from gitmem.config import Environment

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

T = TypeVar("T")


@dataclass(frozen=True)
class Worker:
    environment: Environment
    _one: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))

    async def run(self, action: Callable[["Workspace"], T]) -> T:
        """What `action` gives. Raises what it raises, and NotARepository.

        A client that cancels waits until the work is done: a checkpoint is saved
        wholly or not at all.
        """
        return await to_thread.run_sync(self._on_repository, action, limiter=self._one)

    def _on_repository(self, action: Callable[["Workspace"], T]) -> T:
        from gitmem.workspace import open_workspace

        return action(open_workspace(self.environment))
