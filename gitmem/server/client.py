"""Who calls, and where the work for it is done: one call at a time, in a thread.

Neither git nor the index is for several threads, and both may block, so a call starts
beside the event loop when the one before it is done. The repository is looked for in
every call (about a millisecond): it may appear, move or vanish while a server runs.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from signal import SIGINT, SIGTERM, raise_signal
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import (
    CancelScope,
    CapacityLimiter,
    Lock,
    from_thread,
    open_signal_receiver,
    sleep,
    to_thread,
)
from mcp.server.mcpserver import Context

from gitmem.assistants.known import reads_ignored, tool_of_client
from gitmem.config import EVERYWHERE_SETTING, Environment, current_moment
from gitmem.documents.names import SESSION_URI
from gitmem.errors import NotFound
from gitmem.server.failure import logged
from gitmem.server.introduction import NOT_ASKED
from gitmem.text.counting import Progress

if TYPE_CHECKING:
    from gitmem.actions.saving.connection import Connection
    from gitmem.actions.saving.conversation import Caller
    from gitmem.answers import Answer
    from gitmem.workspace import Workspace

T = TypeVar("T")
_A_MOMENT = 0.2
"""Seconds in which clients ask for what there is, and no assistant does anything."""


@dataclass(frozen=True)
class Worker:
    environment: Environment
    is_opt_in: bool = False
    """True if a repository must opt in before anything is done in it."""
    _limiter: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))

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

        return await to_thread.run_sync(on_repository, limiter=self._limiter)


@dataclass
class ConnectedClient:
    """The client at the other end, for as long as it is connected."""

    worker: Worker
    is_process: bool
    """True if the server is a process that the client may kill when it exits."""
    began: float = field(default_factory=current_moment)
    """Start of the connection in seconds since 1970."""
    _ending: Lock = field(default_factory=Lock)
    _connection: "Connection | None" = None
    """None until git was asked what differs."""

    async def begin(self) -> None:
        """Ask git what differs, once the client has what it asks for at first."""
        await sleep(_A_MOMENT)
        with logged(self.worker.environment):
            await self.worker.run(self._look, through_git=True)

    async def end(self) -> None:
        """Note that the client has hung up; returns once that is done, by whomever."""
        connection = self._connection
        with logged(self.worker.environment), CancelScope(shield=True):
            async with self._ending:
                if connection and connection.has_begun:
                    end = partial(connection.end, by_another=self.is_process)
                    await self.worker.run(end)

    async def end_when_terminated(self) -> None:
        with open_signal_receiver(SIGTERM, SIGINT) as received:
            number = await anext(received)
        await self.end()
        if number == SIGINT:  # its exception would wait for the thread that reads stdin
            os._exit(128 + SIGINT)
        raise_signal(SIGTERM)

    def _look(self, place: "Workspace") -> None:
        self.connection.look(place)

    @property
    def connection(self) -> "Connection":
        """For use in the worker's thread."""
        from gitmem.actions.saving.connection import Connection

        if self._connection is None:
            self._connection = Connection(self.began)
        return self._connection


Call = Context[ConnectedClient, Any]
"""One request of a client."""


def client_of(call: Call) -> ConnectedClient:
    return call.request_context.lifespan_context


def caller_of(call: Call) -> "Caller":
    """Who calls, by the name given at `initialize` or, without one, in the request."""
    from gitmem.actions.saving.conversation import Caller

    introduced = call.session.client_params
    return Caller(
        tool=tool_of_client(introduced.client_info.name if introduced else ""),
        meta=dict(call.request_context.meta or {}),
    )


def progress_to(call: Call) -> Progress:
    """Reports to a client that asked for it how far the index has caught up.

    For use in the worker's thread.
    """

    def report(done: int, total: int) -> None:
        from_thread.run(call.report_progress, done, total, "sessions indexed")

    return report


def readable(call: Call, answer_rows: "list[Answer]") -> "list[Answer]":
    """Return what is told of sessions, with where this client can read each.

    The resources are those of this repository; others have copies in the user's folder.
    """
    if reads_ignored(caller_of(call).tool):
        return answer_rows
    elsewhere = str(client_of(call).worker.environment.home)
    return [
        row
        if str(row["markdown_path"]).startswith(elsewhere)
        else {
            **row,
            "markdown_path": SESSION_URI.format(session_id=row["session_id"]),
        }
        for row in answer_rows
    ]
