"""The tools for memories: remember, recall, forget."""

from typing import TYPE_CHECKING

from mcp_types import CallToolResult

from gitmem.server import results
from gitmem.server.client import Call, caller_of, client_of
from gitmem.server.tools import (
    NOT_GIVEN,
    READING,
    WRITING,
    Bullets,
    Text,
    described,
)
from gitmem.text.counting import CONTEXT_BUDGET

if TYPE_CHECKING:
    from gitmem.actions.remembering.keeping import Kept
    from gitmem.workspace import Workspace
_TAGS = "Words to filter by."
_FILES = "Paths that it is about."
_SCOPE = "session, branch, project, user, private, or a team's space."


@described(
    text="One statement that stands alone.",
    kind="preference, convention, constraint, decision, architecture, discovery, fix,"
    " failed, pattern, fact or profile.",
    key="A name for it, as 'db.engine'; a later text replaces it.",
    tags=_TAGS,
    files=_FILES,
    scope=_SCOPE,
    why="The reason.",
    expires="Date, as 2027-01-31.",
    pinned="Always told, never replaced: only if asked for.",
    replaces="Id of the memory that it is about.",
    relation="To that: supersede, merge, support, context, contradict, update.",
)
async def ocm__remember(  # noqa: PLR0913, PLR0917 - the tool's signature is its schema
    call: Call,
    text: str,
    kind: Text = NOT_GIVEN,
    key: Text = NOT_GIVEN,
    tags: Bullets = None,
    files: Bullets = None,
    scope: Text = "project",
    why: Text = NOT_GIVEN,
    expires: Text = NOT_GIVEN,
    pinned: bool | None = None,
    replaces: Text = NOT_GIVEN,
    relation: Text = NOT_GIVEN,
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


@described(
    query="Words; '' for the newest.",
    kinds="Only these kinds.",
    tags=_TAGS,
    files=_FILES,
    scope=_SCOPE,
    limit="At most 50.",
    past="Also what was replaced or expired.",
)
async def ocm__recall(  # noqa: PLR0913, PLR0917 - the tool's signature is its schema
    call: Call,
    query: str,
    kinds: Bullets = None,
    tags: Bullets = None,
    files: Bullets = None,
    scope: Text = NOT_GIVEN,
    limit: int = 10,
    past: bool = False,
) -> CallToolResult:
    """Find memories: what holds here, what was decided, what failed.

    Ask before you decide something, or touch what others decided.
    """
    from gitmem.actions.remembering import memory_answers
    from gitmem.actions.remembering.recall import Wanted
    from gitmem.actions.remembering.session_statements import recall_all

    asked = Wanted(query, kinds or (), tags or (), files or (), scope, limit, past)
    client, caller = client_of(call), caller_of(call)
    found = await client.worker.run(
        lambda place: recall_all(place, asked, client.connection.named(caller))
    )
    return results.of(memory_answers.of_recollection(found))


@described(memory_id="Its id or key.", reason="Why, in a sentence.")
async def ocm__forget(call: Call, memory_id: str, reason: str) -> CallToolResult:
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


@described(
    task="What is to be done, or a question.",
    files="Paths to be read or edited.",
    budget="Tokens at most.",
    parts="Of conversation, state, rules, files, task, timeline; all.",
)
async def ocm__context(
    call: Call,
    task: Text = NOT_GIVEN,
    files: Bullets = None,
    budget: int = CONTEXT_BUDGET,
    parts: Bullets = None,
) -> CallToolResult:
    """Tell what a task needs: state of the branch, rules, memories and sessions.

    Call it before you begin, or when you lost track.
    """
    from gitmem.actions.context.context import context, of_context
    from gitmem.actions.context.wish import Wish

    asked = Wish(task or "", files or (), budget, parts or ())
    client, caller = client_of(call), caller_of(call)
    found = await client.worker.run(
        lambda place: context(place, asked, client.connection.named(caller))
    )
    return results.of(of_context(found))


_FORGETTING = WRITING.model_copy(update={"destructive_hint": True})
TOOLS = (
    (ocm__remember, "Remember a statement", WRITING, "keep a rule or decision"),
    (ocm__recall, "Recall memories", READING, "what holds here"),
    (ocm__context, "Context of a task", READING, "what to know"),
    (ocm__forget, "Forget a memory", _FORGETTING, "remove a memory"),
)
