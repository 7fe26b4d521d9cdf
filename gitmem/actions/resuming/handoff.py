"""A session is handed to another assistant."""

from contextlib import suppress

from gitmem.actions.context.build import remembered, where_recorded
from gitmem.actions.context.handoff_text import handoff
from gitmem.actions.context.rows import harmless_line
from gitmem.actions.resuming.resume import session_meant
from gitmem.actions.saving.hook_events import read_on
from gitmem.assistants.known import ASSISTANTS, assistant_named, tool_named
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.store.handoffs import Handoff, Handoffs
from gitmem.workspace import Workspace

_PATH = 400
"""Characters of the path of a record."""


@frozen
class HandedOver:
    session_id: str
    to: str
    text: str
    """What the assistant needs, as its first prompt."""
    command: tuple[str, ...]
    """What starts it, in front of the prompt; empty where that is not known."""


def hand_over(workspace: Workspace, name: str | None, to: str) -> HandedOver:
    """What the assistant `to` needs to go on with a session; see `session_meant`.

    The next conversation that it begins in this work tree has that one as its parent.
    Raises InvalidInput for an assistant that is not known.
    """
    tool = tool_named(to)
    known = assistant_named(tool)
    if known is None:
        names = ", ".join(sorted(each.name for each in ASSISTANTS if each.command_line))
        raise InvalidInput(f"{to!r} is no assistant.", hint=f"Some are: {names}.")
    session = session_meant(workspace, name, even_running=True)
    read_on(workspace, session.client_session_id)
    session = workspace.current_sessions().document(session.id) or session
    where = harmless_line(where_recorded(workspace, session.id), _PATH)
    text = handoff(remembered(workspace, session), where)
    parent = session.client_session_id or session.id
    with suppress(OSError):  # then nothing links the two
        Handoffs(workspace.own_dir).put(
            tool, workspace.root, Handoff(parent, workspace.now())
        )
    command = known.command_line.prompt if known.command_line else ()
    return HandedOver(session.id, tool, text, command)
