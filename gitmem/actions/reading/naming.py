"""Sessions found by their names, with the help of the index."""

from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.reading.newest import newest
from gitmem.documents.session.session import Session
from gitmem.store.lookup import Lookup
from gitmem.workspace import Workspace


def find_session(workspace: Workspace, name: str) -> str:
    """The id of the session that is meant, after the journal was replayed.

    Raises InvalidInput for text that cannot be a name, NotFound and Ambiguous.
    """
    memory = workspace.current_sessions()
    return _lookup(workspace).named(name, newest(workspace, memory))


def session_of(workspace: Workspace, client_session_id: str) -> Session | None:
    """The session of a conversation, if there is a document of it. Raises Ambiguous."""
    return _lookup(workspace).of_conversation(client_session_id)


def _lookup(workspace: Workspace) -> Lookup:
    def indexed(name: str) -> list[str]:
        return ask_index(workspace, lambda index: index.lookup(name))

    return Lookup(workspace.store.memory(), workspace.store.journal, indexed)
