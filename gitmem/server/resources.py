"""Session documents as resources, for clients that cannot read the file."""

from itertools import islice

from mcp.server.mcpserver import MCPServer
from mcp_types import Resource

from gitmem.actions.answers import line
from gitmem.actions.reading.authors import circle
from gitmem.actions.reading.documents import Document, read_document
from gitmem.actions.reading.newest import newest as sessions_of
from gitmem.model.harmless import harmless_lines
from gitmem.model.session import Session
from gitmem.model.whose import Circle, name_in
from gitmem.server.client import Call, Client, client_of
from gitmem.server.failure import as_protocol_error
from gitmem.workspace import Workspace

TEMPLATE = "ocm://sessions/{session_id}"
MARKDOWN = "text/markdown"
_LISTED = 50
"""Gemini CLI reads no resource that was not listed when it started."""
_MOST_READ = 200_000
"""Characters of a document: more would fill any conversation."""
_REST = "(The document is longer; `ocm show {id}` prints all of it.)"


async def session_document(session_id: str, call: Call) -> str:
    """The document of a session, by id, its beginning, slug, client id, or `last`."""
    worker = client_of(call).worker
    with as_protocol_error("The resource", worker.environment):
        document = await worker.run(lambda place: read_document(place, session_id))
    return _readable(document)


def add_to(server: MCPServer[Client]) -> None:
    server.resource(TEMPLATE, title="Session document", mime_type=MARKDOWN)(
        session_document
    )


def newest(workspace: Workspace) -> list[Resource]:
    """The newest sessions as resources."""
    own = circle(workspace)
    sessions = sessions_of(workspace, workspace.drained_memory())
    return [_resource(each, own) for each in islice(sessions, _LISTED)]


def _readable(document: Document) -> str:
    text = harmless_lines(document.text)
    if len(text) <= _MOST_READ:
        return text
    return f"{text[:_MOST_READ]}\n\n{_REST.format(id=document.session_id)}\n"


def _resource(session: Session, own: Circle) -> Resource:
    who = "" if own.owns(session.author) else name_in(session.author)
    goal = line(session.goal)
    return Resource(
        uri=TEMPLATE.format(session_id=session.id),
        name=session.id,
        mime_type=MARKDOWN,
        description=(f"by {who}: {goal}" if who else goal) or None,
    )
