"""Session documents as resources, for clients that cannot read the file."""

from itertools import islice

from mcp.server.mcpserver import MCPServer
from mcp_types import Resource

from gitmem.actions.answers import line
from gitmem.actions.reading.documents import read_document
from gitmem.model.session import Session
from gitmem.server.client import Call, Client, client_of
from gitmem.server.failure import as_protocol_error
from gitmem.workspace import Workspace

TEMPLATE = "ocm://sessions/{session_id}"
MARKDOWN = "text/markdown"
_LISTED = 50
"""Gemini CLI reads no resource that was not listed when it started."""


async def session_document(session_id: str, call: Call) -> str:
    """The document of a session, by id, unique beginning, client id, or `last`."""
    worker = client_of(call).worker
    with as_protocol_error("The resource", worker.environment):
        return (await worker.run(lambda place: read_document(place, session_id))).text


def add_to(server: MCPServer[Client]) -> None:
    server.resource(TEMPLATE, title="Session document", mime_type=MARKDOWN)(
        session_document
    )


def newest(workspace: Workspace) -> list[Resource]:
    """The newest sessions as resources."""
    return [
        _resource(each) for each in islice(workspace.drained_memory().newest(), _LISTED)
    ]


def _resource(session: Session) -> Resource:
    return Resource(
        uri=TEMPLATE.format(session_id=session.id),
        name=session.id,
        mime_type=MARKDOWN,
        description=line(session.goal) or None,
    )
