"""Which session a conversation has already, asked once for each transcript.

The index is brought to the tip at the beginning and no more: it answers for what was
there before, and what an import itself adds is remembered here.
"""

from gitmem.actions.reading.catch_up import caught_up_index
from gitmem.documents.session.session import Session
from gitmem.errors import Damaged
from gitmem.store.lookup import Lookup
from gitmem.workspace import Workspace


class Known:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._store = workspace.store
        has_memory = self._store.memory().commit is not None
        self._index = caught_up_index(workspace) if has_memory else None
        self._added: dict[str, str] = {}

    def session_of(self, client_session_id: str) -> Session | None:
        """The one of the conversation with this clean client id; the oldest of several.

        It is found by the mark that hooks left, and by the client id in its document,
        whatever it is called by now.
        """
        lookup = Lookup(self._store.memory(), self._store.journal, self._indexed)
        return lookup.oldest_of_conversation(client_session_id)

    def add(self, session: Session) -> None:
        self._added[session.client_session_id] = session.id

    def _indexed(self, client_session_id: str) -> list[str]:
        added = [*filter(None, [self._added.get(client_session_id)])]
        if self._index is None:
            return added
        try:
            return added + self._index.lookup(client_session_id)
        except Damaged:
            self._index = caught_up_index(self._workspace)
            return added + self._index.lookup(client_session_id)
