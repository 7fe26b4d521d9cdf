"""The tools for sessions, with the names and arguments that assistants are taught.

A description is read with every request of every conversation: keep them short.
"""

from inspect import getdoc
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field, WithJsonSchema

from gitmem.server import results
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

Tool = TypeVar("Tool", bound="Callable[..., Any]")
_TOOL_FILTER = "Only this assistant's, as 'cursor'."
NOT_GIVEN: Any = None
"""The default of an argument of text. A `null` is dropped before it gets here."""

Text = Annotated[str, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "null"}]})]
"""Text or null. For `str | None` the SDK would take text that is JSON for its value."""
Bullets = list[str] | None


def _pair(first: str, second: str) -> WithJsonSchema:
    return WithJsonSchema(
        {
            "type": "object",
            "properties": {first: {"type": "string"}, second: {"type": "string"}},
            "required": [first, second],
        }
    )


Plans = list[Annotated[dict[str, Any], _pair("path", "header")]] | None
Pages = list[Annotated[dict[str, Any], _pair("url", "title")]] | None


def described(**arguments: str) -> "Callable[[Tool], Tool]":
    """Say of each argument of a tool what its schema says."""

    def with_descriptions(tool: Tool) -> Tool:
        known = tool.__annotations__
        for name, text in arguments.items():
            known[name] = Annotated[known[name], Field(description=text)]
        return tool

    return with_descriptions


@described(
    session_id="Only to save into another session.",
    slug="Its name: 3 or 4 words, as 'kv-cache-prefill'. First call only.",
    goal="What it is to achieve: 1 or 2 specific sentences.",
    work_completed="To-dos done by now.",
    work_pending="ALL to-dos that are left. Replaces the list.",
    work_summary="What was done, in short bullets.",
    decisions="'**Label:** why. [Link](url)'",
    tried="What failed and why.",
    constraints="Rules and limits that hold.",
    blockers="ALL that blocks now. Replaces the list.",
    questions="ALL open questions. Replaces the list.",
    plan_files="Plans written: path, first heading.",
    references="Pages used; titles of 3 to 5 words.",
    status="'frozen' at about 70 % of the context, 'closed' at the end.",
    client_session_id="Your client's id of it, if known.",
    tool="Your name. Usually known already.",
)
async def ocm__checkpoint(  # noqa: PLR0913, PLR0917 - the tool's signature is its schema
    call: Call,
    session_id: Text = NOT_GIVEN,
    slug: Text = NOT_GIVEN,
    goal: Text = NOT_GIVEN,
    work_completed: Bullets = None,
    work_pending: Bullets = None,
    work_summary: Bullets = None,
    decisions: Bullets = None,
    tried: Bullets = None,
    constraints: Bullets = None,
    blockers: Bullets = None,
    questions: Bullets = None,
    plan_files: Plans = None,
    references: Pages = None,
    status: Literal["open", "frozen", "closed"] | None = None,
    client_session_id: Text = NOT_GIVEN,
    tool: Text = NOT_GIVEN,
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


@described(
    query="What it was about, in the user's words. Dates, assistants, branches, paths,"
    " commits, 'phrases' and -unwanted words count: 'kv cache last week -docs'.",
    also="Up to 5 other wordings: synonyms, names the code might use.",
    limit="At most 5.",
    scope="'global': all repositories of the user.",
    tool_filter=_TOOL_FILTER,
)
async def ocm__search_sessions(
    call: Call,
    query: str,
    also: Bullets = None,
    limit: int = 5,
    scope: Literal["project", "global"] = "project",
    tool_filter: Text = NOT_GIVEN,
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


@described(limit="1 to 1000.", tool_filter=_TOOL_FILTER)
async def ocm__list_sessions(
    call: Call,
    limit: int = 10,
    tool_filter: Text = NOT_GIVEN,
) -> CallToolResult:
    """List the newest sessions of this project, newest first."""
    from gitmem.actions import answers
    from gitmem.actions.reading import documents as reading

    listed, said = await _told(
        call,
        lambda place: reading.list_sessions(place, limit=limit, tool=tool_filter),
    )
    return results.of_sessions(readable(call, answers.of_list(listed)), said)


@described(session_id="Id, its unique beginning, slug, or 'last'.")
async def ocm__get_session_files(call: Call, session_id: str) -> CallToolResult:
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


WRITING = ToolAnnotations(
    read_only_hint=False,
    destructive_hint=False,
    idempotent_hint=True,
    open_world_hint=False,
)
READING = WRITING.model_copy(update={"read_only_hint": True})
TOOLS = (
    (ocm__checkpoint, "Save this session", WRITING, "save session progress goal"),
    (ocm__search_sessions, "Search sessions", READING, "find earlier past sessions"),
    (ocm__list_sessions, "List sessions", READING, "recent sessions of the project"),
    (ocm__get_session_files, "Files of a session", READING, "files a session touched"),
)


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
