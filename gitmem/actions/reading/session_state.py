"""In which state a session is, by its status and by what hooks heard of it here."""

from gitmem.documents.session.session import Session, Status
from gitmem.documents.session.work import State, state_of
from gitmem.workspace import Workspace


def session_state(workspace: Workspace, session: Session) -> State:
    """Only for one that is open its journal is looked into, from the end."""
    if session.status is not Status.OPEN:
        return state_of(session, (), workspace.now())
    journal = workspace.store.journal
    newest_first = journal.newest_events(session.client_session_id)
    return state_of(session, newest_first, workspace.now())
