"""The tools for sessions, with the names and arguments that assistants are taught."""

from inspect import getdoc
from typing import TYPE_CHECKING, Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ToolAnnotations

from gitmem.server import arguments, results
from gitmem.server.client import (
    Call,
    Client,
    caller_of,
    client_of,
    progress_to,
    readable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.actions.saving.checkpoint import Saved
    from gitmem.workspace import Workspace

    Row = tuple[Callable[..., Any], str, ToolAnnotations, str]
    """A tool, its title, its annotations, and words by which it is searched for."""

T = TypeVar("T")


async def ocm__checkpoint(  # noqa: PLR0913, PLR0917 - the tool's signature is its schema
    call: Call,
    session_id: arguments.SavedSession = arguments.NOT_GIVEN,
    slug: arguments.Slug = arguments.NOT_GIVEN,
    goal: arguments.Goal = arguments.NOT_GIVEN,
    work_completed: arguments.WorkCompleted = None,
    work_pending: arguments.WorkPending = None,
    work_summary: arguments.WorkSummary = None,
    decisions: arguments.Decisions = None,
    tried: arguments.Tried = None,
    constraints: arguments.Constraints = None,
    blockers: arguments.Blockers = None,
    questions: arguments.Questions = None,
    plan_files: arguments.PlanFiles = None,
    references: arguments.References = None,
    status: arguments.NewStatus = None,
    client_session_id: arguments.ClientSession = arguments.NOT_GIVEN,
    tool: arguments.ToolName = arguments.NOT_GIVEN,
) -> CallToolResult:
    """Save what this session did to the project's memory.

    Call it when the goal is clear, before a git commit, when a piece of work is done,
    and when `status` changes. Send only what is new; files and commits are recorded
    by themselves. Leave secrets out.
    """
    given = {name: value for name, value in locals().items() if name != "call"}
    from gitmem.actions import answers
    from gitmem.actions.saving.request import parse_request

    request, client = parse_request(given), client_of(call)

    def saving(place: "Workspace") -> "Saved":
        """Of parallel first calls, the second has to know what the first began."""
        return client.connection.save(place, request, caller_of(call))

    saved = await client.worker.run(saving)
    return results.of(answers.of_checkpoint(saved))


async def ocm__search_sessions(
    call: Call,
    query: arguments.SearchQuery,
    also: arguments.OtherWordings = None,
    limit: arguments.SearchLimit = 5,
    scope: arguments.SearchScope = "project",
    tool_filter: arguments.ToolFilter = arguments.NOT_GIVEN,
) -> CallToolResult:
    """Find earlier sessions of this project by what they were about.

    Also for "continue", where no brief names the session. Read the hit that
    fits; ask the user only where several could be meant. If all are weak, none may
    fit: search in other words, or ask.
    """
    from gitmem.actions import answers
    from gitmem.actions.reading import find

    found, said = await _told(
        call,
        lambda place: find.search(
            place,
            query,
            limit=limit,
            scope=scope,
            tool=tool_filter,
            also=also or (),
            progress=progress_to(call),
        ),
    )
    notice = " ".join(filter(None, (answers.notice(found), said)))
    hits = answers.of_search(found)
    hits = hits if isinstance(hits, str) else readable(call, hits)
    return results.of_search(hits, answers.understood(found), notice)


async def ocm__list_sessions(
    call: Call,
    limit: arguments.ListLimit = 10,
    tool_filter: arguments.ToolFilter = arguments.NOT_GIVEN,
) -> CallToolResult:
    """List the newest sessions of this project, newest first."""
    from gitmem.actions import answers
    from gitmem.actions.reading import documents as reading

    listed, said = await _told(
        call,
        lambda place: reading.list_sessions(place, limit=limit, tool=tool_filter),
    )
    return results.of_sessions(readable(call, answers.of_list(listed)), said)


async def ocm__get_session_files(
    call: Call, session_id: arguments.SessionName
) -> CallToolResult:
    """List the files that a session touched."""
    from gitmem.actions import answers
    from gitmem.actions.reading import documents as reading

    files, said = await _told(
        call, lambda place: reading.session_files(place, session_id)
    )
    return results.of_files(answers.of_files(files), said)


async def _told(call: Call, read: "Callable[[Workspace], T]") -> "tuple[T, str]":
    """What was read, and what nobody was told yet of others' deletions."""
    from gitmem.actions.sharing.review_held import notices

    return await client_of(call).worker.run(
        lambda place: (read(place), " ".join(notices(place)))
    )


_CHECKPOINT = ToolAnnotations(
    read_only_hint=False,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
_READING = ToolAnnotations(
    read_only_hint=True,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
_TOOLS = (
    (ocm__checkpoint, "Save this session", _CHECKPOINT, "save session progress goal"),
    (ocm__search_sessions, "Search sessions", _READING, "find earlier past sessions"),
    (ocm__list_sessions, "List sessions", _READING, "recent sessions of the project"),
    (ocm__get_session_files, "Files of a session", _READING, "files a session touched"),
)


def add_to(server: MCPServer[Client]) -> None:
    add_tools(server, _TOOLS)


def add_tools(server: MCPServer[Client], rows: "Iterable[Row]") -> None:
    """Offer tools, which clients that load tools late have from the beginning."""
    for tool, title, annotations, hint in rows:
        server.add_tool(
            tool,
            title=title,
            description=getdoc(tool),
            annotations=annotations,
            meta={"anthropic/alwaysLoad": True, "anthropic/searchHint": hint},
        )
