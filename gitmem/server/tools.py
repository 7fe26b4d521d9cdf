"""The tools for sessions, with the names and arguments that assistants are taught.

A description is read with every request of every conversation: keep them short. An
argument that is for programs, or that an answer names first, is taken and not announced
(`SkipJsonSchema`).
"""

from collections.abc import Iterator
from inspect import Parameter, getdoc
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema

from gitmem.documents.session.fields import ARGUMENTS, FieldForm
from gitmem.server import results
from gitmem.server.client import (
    Call,
    ConnectedClient,
    caller_of,
    client_of,
    progress_to,
    readable,
)
from gitmem.server.introduction import PREFIX
from gitmem.text.counting import LEAST_BUDGET, LISTING_BUDGET
from gitmem.text.signatures import with_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.actions.saving.checkpoint import Saved
    from gitmem.workspace import Workspace

    Row = tuple[Callable[..., Any], str, ToolAnnotations, str]
    """A tool, its title, its annotations, and words by which it is searched for."""

T = TypeVar("T")
NOT_GIVEN: Any = None
"""The default of an argument: a `null` is dropped before it gets here.

For `str | None` the SDK would take text that is JSON for its value.
"""
Offset = Annotated[int, Field(ge=0)]
Budget = Annotated[int, Field(ge=LEAST_BUDGET)]
"""Tokens of an answer."""
Bullets = list[str]
Status = Literal["open", "frozen", "closed"]


def _pair(default: str, second: str) -> WithJsonSchema:
    texts = {default: {"type": "string"}, second: {"type": "string"}}
    return WithJsonSchema({"type": "object", "properties": texts})


Plans = list[Annotated[dict[str, Any], _pair("path", "header")]]
Pages = list[Annotated[dict[str, Any], _pair("url", "title")]]


def says(description: str) -> Any:
    """Return what adds a description to the schema of an argument."""
    return Field(description=description)


_TYPES: dict[FieldForm, Any] = {
    FieldForm.TEXT: str,
    FieldForm.ITEMS: Bullets,
    FieldForm.PLANS: Plans,
    FieldForm.REFERENCES: Pages,
}


_NOTHING_SAVED = "Nothing was saved: give a goal, decisions or work_completed."


def _parameters() -> Iterator[Parameter]:
    for name, (form, argument) in ARGUMENTS.items():
        annotation = _TYPES[form]
        if argument.description:
            annotation = Annotated[annotation, says(argument.description)]
        yield Parameter(
            name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation
        )


@with_parameters(_parameters())
async def ocm__checkpoint(
    call: Call,
    *,
    session_id: Annotated[str, says("Only for another session.")] = NOT_GIVEN,
    slug: Annotated[str, says("Up to 4 words.")] = NOT_GIVEN,
    status: Annotated[Status, says("frozen: context nearly full.")] = NOT_GIVEN,
    client_session_id: SkipJsonSchema[str] = NOT_GIVEN,
    tool: SkipJsonSchema[str] = NOT_GIVEN,
    **values: Any,
) -> CallToolResult:
    """Save this session. Call unasked as soon as work is decided, done or given up.

    And before a commit and at the end. Send what is new, but all of work_pending,
    blockers and questions: they replace. No secrets.
    """
    from gitmem.actions.saving.checkpoint import checkpoint_answer
    from gitmem.actions.saving.request import parse_request

    arguments = {
        **values,
        "session_id": session_id,
        "slug": slug,
        "status": status,
        "client_session_id": client_session_id,
        "tool": tool,
    }
    request, client = parse_request(arguments), client_of(call)

    def saving(place: "Workspace") -> "Saved":
        """Of parallel first calls, the second has to know what the first began."""
        return client.connection.save(place, request, caller_of(call))

    saved = await client.worker.run(saving)
    answer = checkpoint_answer(saved)
    if saved.session_id is None:
        answer = {**answer, "notice": _NOTHING_SAVED}
    return results.single(answer)


async def ocm__search_sessions(  # noqa: PLR0913, PLR0917 - its signature is its schema
    call: Call,
    query: Annotated[str, says("Words; dates, assistants, paths filter.")],
    also: Annotated[Bullets, says("Synonyms.")] = NOT_GIVEN,
    limit: SkipJsonSchema[int] = 5,
    scope: Literal["project", "global"] = "project",
    tool_filter: SkipJsonSchema[str] = NOT_GIVEN,
    budget: SkipJsonSchema[Budget] = LISTING_BUDGET,
) -> CallToolResult:
    """Find earlier sessions by what they were about; read the one that fits.

    If all are weak, use other words, or ask.
    """
    from gitmem.actions.reading import find
    from gitmem.actions.reading.session_answers import (
        hit_answers,
        search_notice,
        understood_query,
    )

    found_results, space_notice = await _read_with_notices(
        call,
        lambda place: find.search(
            place,
            query,
            limit=limit,
            scope=scope,
            tool=tool_filter,
            also=also or (),
            by_meaning=True,
            progress=progress_to(call),
        ),
    )
    notice = " ".join(filter(None, (search_notice(found_results), space_notice)))
    hits = hit_answers(found_results)
    hits = hits if isinstance(hits, str) else readable(call, hits)
    return results.of_search(hits, understood_query(found_results), notice, budget)


async def ocm__list_sessions(
    call: Call,
    limit: int = 10,
    offset: Offset = 0,
    tool_filter: SkipJsonSchema[str] = NOT_GIVEN,
    budget: SkipJsonSchema[Budget] = LISTING_BUDGET,
) -> CallToolResult:
    """List the newest sessions."""
    from gitmem.actions.reading import documents as reading
    from gitmem.actions.reading.session_answers import listing_answers

    listing, notice = await _read_with_notices(
        call,
        lambda place: reading.list_sessions(
            place, limit=limit, offset=offset, tool=tool_filter
        ),
    )
    answer_rows = readable(call, listing_answers(listing.sessions))
    rows = [[results.session_row(row)] for row in answer_rows]
    return results.of_page(rows, notice, offset, budget, has_more=listing.has_more)


async def ocm__get_session_files(
    call: Call,
    session_id: str,
    offset: SkipJsonSchema[Offset] = 0,
    budget: SkipJsonSchema[Budget] = LISTING_BUDGET,
) -> CallToolResult:
    """List the files a session touched."""
    from gitmem.actions.reading import documents as reading
    from gitmem.actions.reading.session_answers import file_answers

    files, notice = await _read_with_notices(
        call, lambda place: reading.session_files(place, session_id)
    )
    rows = [[row] for row in file_answers(files[offset:])]
    return results.of_page(rows, notice, offset, budget)


async def _read_with_notices(
    call: Call, reader: "Callable[[Workspace], T]"
) -> "tuple[T, str]":
    """What was read, and what nobody was told yet of others' deletions."""
    from gitmem.actions.sharing.deletion_notices import notices

    return await client_of(call).worker.run(
        lambda place: (reader(place), " ".join(notices(place)))
    )


_LEAN = {"checkpoint", "recall", "context"}
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


def add_tools(
    server: MCPServer[ConnectedClient], rows: "Iterable[Row]", *, is_lean: bool
) -> None:
    """Offer tools, which clients that load tools late have from the beginning.

    Lean ones are few, without the `__` at which some clients split a name.
    """
    for tool, title, annotations, hint in rows:
        short_name = tool.__name__.removeprefix(PREFIX)
        if is_lean and short_name not in _LEAN:
            continue
        server.add_tool(
            tool,
            name=short_name if is_lean else tool.__name__,
            title=title,
            description=" ".join((getdoc(tool) or "").split()),
            annotations=annotations,
            meta={"anthropic/alwaysLoad": True, "anthropic/searchHint": hint},
        )
