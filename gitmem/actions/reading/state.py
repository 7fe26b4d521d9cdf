"""In which state a session is, by its status and by what hooks heard of it here."""

from gitmem.model.event import from_json
from gitmem.model.session import Session, Status
from gitmem.model.work import State, state_of
from gitmem.store.local.journal import journal_name
from gitmem.workspace import Workspace


def session_state(workspace: Workspace, session: Session) -> State:
    """Only for one that is open its journal is looked into, from the end."""
    if session.status is not Status.OPEN:
        return state_of(session, (), workspace.now())
    lines = workspace.store.journal.lines(journal_name(session.client_session_id))
    newest_first = filter(None, map(from_json, reversed(lines)))
    return state_of(session, newest_first, workspace.now())
