"""The context of a task: what is known that it needs, within a budget.

In this order: the conversation itself, the state of its branch, what always holds, what
names the files at hand, what answers the task, and the sessions before and after.
"""

from contextlib import suppress
from dataclasses import asdict

from gitmem.actions.context.build import continuation, to_go_on_with
from gitmem.actions.context.page import Item, Page, framed
from gitmem.actions.context.parts import FILES_NAMED, THIS, Parts
from gitmem.actions.context.rows import NAME
from gitmem.actions.context.task import PARTS, ContextRequest
from gitmem.actions.remembering.remember import files_at_head
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.answers import Answer, passed_over
from gitmem.documents.event import Occasion, Recalled
from gitmem.documents.kinds import MEMORY
from gitmem.documents.statement_ids import ids_in
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.indexing import ask_index
from gitmem.search.index import Index
from gitmem.store.journal.journal import journal_name
from gitmem.text.counting import estimated_tokens, shortlist
from gitmem.text.markdown import harmless_line
from gitmem.workspace import Workspace

_TITLE = "What is known"
_NOTHING = "Nothing is known yet of what this asks for.\n"
_WHOLE = "`ocm show ID` gives a whole record.\n"
_GO_ON_SHARE = 0.25
"""Largest share of the budget for what "continue" means."""


@frozen
class Context:
    text: str
    """Whole lines."""
    tokens: int
    """Upper estimate of its size, by `estimated_tokens`."""
    budget: int
    items: tuple[Item, ...]
    left_out: int
    """Documents for which there was no room."""
    notice: str
    """Files that are not in the repository, and spaces that could not be read."""


def of_context(context: Context) -> Answer:
    """Return a context as the tool and `--json` show it."""
    return {
        **({"notice": context.notice} if context.notice else {}),
        "text": context.text,
        "tokens": context.tokens,
        "items": [*map(asdict, context.items)],
        "left_out": context.left_out,
    }


def context(
    workspace: Workspace, request: ContextRequest, caller: Caller | None = None
) -> Context:
    """Tell what a task needs; `caller` is who is in a conversation of its own.

    A conversation that is known notes what it was told. Raises NotFound and Ambiguous
    for the session that the timeline is around.
    """
    workspace.replay(workspace.store_of(MEMORY))
    workspace.current_sessions()
    page = ask_index(workspace, lambda index: _build(workspace, request, caller, index))
    if caller:
        with suppress(GitmemError):  # forgotten, or in a repository that is read-only
            _note_told(workspace, caller, page)
    return page


def _note_told(workspace: Workspace, caller: Caller, page: Context) -> None:
    conversation = conversation_of(workspace, caller)
    journal, client_id = workspace.store.journal, conversation.client_session_id
    if not journal.lines(journal_name(client_id)):
        return
    recalled = Recalled(
        at=workspace.now(),
        tool=conversation.tool,
        client_session_id=client_id,
        root=str(workspace.root),
        where=Occasion.CALL,
        ids=ids_in(page.text),
        tokens=page.tokens,
    )
    journal.note(recalled)


def _build(
    workspace: Workspace, request: ContextRequest, caller: Caller | None, index: Index
) -> Context:
    files, unknown_paths = files_at_head(workspace, request.files)
    paths = tuple(file.path for file in files)
    parts = Parts(workspace, request, caller, index, paths)
    end = _go_on(workspace, request, caller.tool if caller else "") + _WHOLE
    fixed = framed(_TITLE, ["-"]) + end
    page = Page(request.budget - estimated_tokens(fixed), request.budget * 20)
    if unknown_paths:
        names = [harmless_line(path, NAME) for path in unknown_paths]
        page.take(f"Not in the repository: {shortlist(names, FILES_NAMED)}.")
    page.fill(parts.sections())
    if page.items and page.items[0].why == THIS:
        end = _WHOLE
    text = framed(_TITLE, page.rows) + (end if page.items else _NOTHING)
    return Context(
        text=text,
        tokens=estimated_tokens(text),
        budget=request.budget,
        items=tuple(page.items),
        left_out=page.left_out,
        notice=passed_over(unknown_paths, tuple(dict.fromkeys(parts.unreachable))),
    )


def _go_on(workspace: Workspace, request: ContextRequest, tool: str) -> str:
    """Return what "continue" means, as the brief says it, where no more is request."""
    if request.task or request.files or request.parts != PARTS:
        return ""
    if not (session := to_go_on_with(workspace)):
        return ""
    row = continuation(workspace, session, tool).row
    return row if estimated_tokens(row) <= request.budget * _GO_ON_SHARE else ""
