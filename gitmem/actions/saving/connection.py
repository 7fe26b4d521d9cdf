"""An MCP connection of which no hook tells: a conversation that the server notes.

No use of a tool is seen there. So what git says as the connection begins is remembered,
and noted once something is saved: a connection that saves nothing leaves nothing.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from gitmem import processes
from gitmem.actions.saving.checkpoint import Saved, capture, save
from gitmem.actions.saving.conversation import Caller, Conversation
from gitmem.actions.saving.hook_events import note_interrupted, work_tree_state
from gitmem.actions.saving.live_transcript import event_of
from gitmem.actions.saving.request import Request
from gitmem.documents.event import Client, Connected, End, Interrupted
from gitmem.documents.event_log import is_unhooked, last_sign
from gitmem.errors import GitmemError
from gitmem.processes import own_process
from gitmem.workspace import Workspace


@dataclass
class Connection:
    _began: float
    """Seconds since 1970; git is asked a moment later."""
    _state: Connected | None = None
    conversation: str | None = None
    """The one it has, by the client's id, once something was saved."""

    @property
    def has_begun(self) -> bool:
        return self.conversation is not None

    def look(self, workspace: Workspace) -> Connected:
        """What git says before anything is done here; it is asked once."""
        if self._state is None:
            self._state = work_tree_state(workspace, Connected, "", "", self._began)
            note_interrupted(workspace, Connected)
        return self._state

    def save(self, workspace: Workspace, request: Request, caller: Caller) -> Saved:
        """As `checkpoint.save`, for a caller that is this connection."""
        self.look(workspace)
        takes = partial(self._takes, workspace, request)
        own = self.conversation
        return save(
            workspace, request, replace(caller, own_conversation=own, takes=takes)
        )

    def as_caller(self, caller: Caller) -> Caller:
        """Return the caller with the conversation that this connection has."""
        return replace(caller, own_conversation=self.conversation)

    def end(self, workspace: Workspace, *, by_another: bool = False) -> None:
        """Note the end of its conversation, and save what git says by then.

        Nothing where it has none, or hooks tell of that by now. It is saved
        `by_another` process where this one may be killed meanwhile, as Codex does.
        """
        client_id, self.conversation = self.conversation, None
        journal = workspace.store.journal
        if not client_id or not is_unhooked(journal.newest_events(client_id)):
            return
        newest = next(journal.newest_events(client_id))
        journal.note(event_of(newest, End, workspace.now()))
        with suppress(GitmemError, OSError):  # whoever reads next makes a commit of it
            root = workspace.root
            if by_another:
                arguments = (str(root), client_id, "session_end", newest.tool, "")
                processes.start(root, "later", *arguments)
            else:
                capture(workspace, client_id)

    def _takes(
        self, workspace: Workspace, request: Request, conversation: Conversation
    ) -> bool:
        """Whether what git says is the work of a conversation; begin it, if need be.

        It is where hooks or this connection tell of it, and not where one only adds a
        word to a session, in a conversation of its own or while another has that.
        """
        client_id = conversation.client_session_id
        newest = last_sign(workspace.store.journal.newest_events(client_id))
        is_over = isinstance(newest, End | Interrupted | None)
        is_hooked = not is_over and not isinstance(newest, Connected)
        if is_hooked or client_id == self.conversation:
            return True
        if request.session_id and (self.conversation or not is_over):
            return False
        self._begin(workspace, conversation)
        return True

    def _begin(self, workspace: Workspace, conversation: Conversation) -> None:
        if self.conversation:
            self.end(workspace)
            self._state = work_tree_state(workspace, Connected, "", "")
        client_id, tool = conversation.client_session_id, conversation.tool
        begun = replace(self.look(workspace), client_session_id=client_id, tool=tool)
        workspace.store.journal.note(begun)
        self.conversation = client_id
        pid, started = own_process()
        client = {"pid": pid, "started": started, "transcript": ""}
        workspace.store.journal.note(event_of(begun, Client, begun.at, **client))
