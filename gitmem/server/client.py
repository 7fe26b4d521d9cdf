"""Who calls: the client's name, what it sends along, and its own conversation."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from anyio import from_thread
from mcp.server.mcpserver import Context

from gitmem.assistants.known import tool_of_client
from gitmem.model.counting import Progress
from gitmem.server.worker import Worker

if TYPE_CHECKING:
    from gitmem.actions.saving.checkpoint import Saved
    from gitmem.actions.saving.conversation import Caller


@dataclass
class Client:
    """The client at the other end, for as long as it is connected."""

    worker: Worker
    own_conversation: str | None = None
    """The one it used last, when nothing else said which."""

    def remember(self, saved: "Saved") -> None:
        if saved.conversation.is_own:
            self.own_conversation = saved.conversation.client_session_id


Call = Context[Client, Any]
"""One request of a client."""


def client_of(call: Call) -> Client:
    return call.request_context.lifespan_context


def caller_of(call: Call) -> "Caller":
    """Who calls, by the name given at `initialize` or, without one, in the request."""
    from gitmem.actions.saving.conversation import Caller

    introduced = call.session.client_params
    return Caller(
        tool=tool_of_client(introduced.client_info.name if introduced else ""),
        meta=dict(call.request_context.meta or {}),
        own_conversation=client_of(call).own_conversation,
    )


def progress_to(call: Call) -> Progress:
    """Reports to a client that asked for it how far the index has caught up.

    For use in the worker's thread.
    """

    def report(done: int, total: int) -> None:
        from_thread.run(call.report_progress, done, total, "sessions indexed")

    return report
