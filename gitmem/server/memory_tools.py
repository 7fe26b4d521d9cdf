"""The tools for memories: remember, recall, forget."""

from typing import TYPE_CHECKING, Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from gitmem.server import results
from gitmem.server.client import Call, Client, caller_of, client_of
from gitmem.server.tools import (
    NOT_GIVEN,
    READING,
    WRITING,
    Bullets,
    Text,
    add_tools,
)
from gitmem.text.counting import CONTEXT_BUDGET

if TYPE_CHECKING:
    from gitmem.actions.remembering.keeping import Kept
    from gitmem.workspace import Workspace

Statement = Annotated[str, Field(description="One statement that stands alone.")]
MemoryKind = Annotated[
    str,
    Field(
        description="preference, convention, constraint, decision, architecture, "
        "discovery, fix, failed, pattern, fact or profile."
    ),
]
Key = Annotated[
    Text, Field(description="A name for it, as 'db.engine'; a later text replaces it.")
]
Why = Annotated[Text, Field(description="The reason.")]
Tags = Annotated[Bullets, Field(description="Words to filter by.")]
Files = Annotated[Bullets, Field(description="Paths that it is about.")]
MemoryScope = Annotated[
    Text, Field(description="branch, project, user, or a team's space.")
]
Expires = Annotated[Text, Field(description="Date, as 2027-01-31.")]
Pinned = Annotated[
    bool | None, Field(description="Always told, never replaced: only if asked for.")
]
Replaces = Annotated[Text, Field(description="Id of the memory that it is about.")]
Relation = Annotated[
    Text,
    Field(description="To that: supersede, merge, support, context, contradict."),
]
Question = Annotated[str, Field(description="Words; '' for the newest.")]
Task = Annotated[Text, Field(description="What is to be done, or a question.")]
FilesAtHand = Annotated[Bullets, Field(description="Paths to be read or edited.")]
ContextBudget = Annotated[int, Field(description="Tokens at most.")]
ContextParts = Annotated[
    Bullets,
    Field(description="Of conversation, state, rules, files, task, timeline; all."),
]
MemoryName = Annotated[str, Field(description="Its id or key.")]
Reason = Annotated[str, Field(description="Why, in a sentence.")]
Kinds = Annotated[Bullets, Field(description="Only these kinds.")]
RecallLimit = Annotated[int, Field(description="At most 50.")]
Past = Annotated[bool, Field(description="Also what was replaced or expired.")]


async def ocm__remember(  # noqa: PLR0913, PLR0917 - the tool's signature is its schema
    call: Call,
    text: Statement,
    kind: MemoryKind = "fact",
    key: Key = NOT_GIVEN,
    tags: Tags = None,
    files: Files = None,
    scope: MemoryScope = "project",
    why: Why = NOT_GIVEN,
    expires: Expires = NOT_GIVEN,
    pinned: Pinned = None,
    replaces: Replaces = NOT_GIVEN,
    relation: Relation = NOT_GIVEN,
) -> CallToolResult:
    """Keep a statement that later sessions need: a rule, a decision, a fix, a dead end.

    Where the answer has `similar`, look whether one says the same or is out of date,
    and call again with `replaces`. Leave secrets out.
    """
    given = {name: value for name, value in locals().items() if name != "call"}
    from gitmem.actions.remembering import memory_answers
    from gitmem.actions.remembering.remember import remember_in_conversation

    client = client_of(call)

    def keeping(place: "Workspace") -> "Kept":
        caller = client.connection.named(caller_of(call))
        return remember_in_conversation(place, given, caller)

    return results.of(memory_answers.of_kept(await client.worker.run(keeping)))


async def ocm__recall(  # noqa: PLR0913, PLR0917 - the tool's signature is its schema
    call: Call,
    query: Question,
    kinds: Kinds = None,
    tags: Tags = None,
    files: Files = None,
    scope: MemoryScope = NOT_GIVEN,
    limit: RecallLimit = 10,
    past: Past = False,
) -> CallToolResult:
    """Find memories: what holds here, what was decided, what failed.

    Ask before you decide something, or touch what others decided.
    """
    from gitmem.actions.remembering import memory_answers
    from gitmem.actions.remembering.recall import wanted
    from gitmem.actions.remembering.session_statements import recall_all

    asked = wanted(query, kinds or (), tags or (), files or (), scope, limit, past)
    found = await client_of(call).worker.run(lambda place: recall_all(place, asked))
    return results.of(memory_answers.of_recollection(found))


async def ocm__forget(
    call: Call, memory_id: MemoryName, reason: Reason
) -> CallToolResult:
    """Remove a memory in every clone, for good; only when the user asks for it."""
    from gitmem.actions.remembering import named
    from gitmem.documents.kinds import MEMORY

    del reason  # it makes an assistant think; nothing of what is gone is kept

    def forgetting(place: "Workspace") -> str:
        found = named.named_of(place, MEMORY, memory_id)
        named.forget(found)
        return found.id

    gone = await client_of(call).worker.run(forgetting)
    return results.of({"memory_id": gone})


async def ocm__context(
    call: Call,
    task: Task = NOT_GIVEN,
    files: FilesAtHand = None,
    budget: ContextBudget = CONTEXT_BUDGET,
    parts: ContextParts = None,
) -> CallToolResult:
    """Tell what a task needs: state of the branch, rules, memories and sessions.

    Call it before you begin, or when you lost track.
    """
    from gitmem.actions.context.context import context, of_context
    from gitmem.actions.context.wish import wish

    asked = wish(task or "", files or (), budget, parts or ())
    client, caller = client_of(call), caller_of(call)
    found = await client.worker.run(
        lambda place: context(place, asked, client.connection.named(caller))
    )
    return results.of(of_context(found))


_FORGETTING = WRITING.model_copy(update={"destructive_hint": True})
_TOOLS = (
    (ocm__remember, "Remember a statement", WRITING, "keep a rule or decision"),
    (ocm__recall, "Recall memories", READING, "what holds here"),
    (ocm__context, "Context of a task", READING, "what to know"),
    (ocm__forget, "Forget a memory", _FORGETTING, "remove a memory"),
)


def add_to(server: MCPServer[Client]) -> None:
    add_tools(server, _TOOLS)
