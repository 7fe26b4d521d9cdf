"""From what a person or a client calls a session to its id.

A session is named by its id, by an id it had before, by the client's own id, by a
unique beginning of its id, by its slug if no other session has it, or by `last`.
"""

from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.reading.newest import newest
from gitmem.documents.session.identity import clean_client_id, slug_of
from gitmem.documents.session.session import Session
from gitmem.errors import Ambiguous, InvalidInput, NotFound
from gitmem.store.journal.journal import journal_name
from gitmem.workspace import Workspace

LAST = "last"
_SEVERAL = "{!r} names several sessions."
_CANDIDATES = 10


def find_session(workspace: Workspace, name: str) -> str:
    """The id of the session that is meant.

    Raises InvalidInput for text that cannot be a name, NotFound and Ambiguous.
    """
    _require_sane(name)
    memory = workspace.current_sessions()
    if name == LAST:
        found = next(newest(workspace, memory), None)
        if found is None:
            raise NotFound("There are no sessions yet.", hint="Save one first.")
        return found.id
    if memory.document(name) is not None:
        return name
    if known := find_conversation(workspace, name):
        return known
    ids = [*memory.ids()]
    beginning = [each for each in ids if each.startswith(name)]
    return _only(beginning or [each for each in ids if slug_of(each) == name], name)


def find_conversation(workspace: Workspace, name: str) -> str | None:
    """The session with this client id, or with this id in former times."""
    memory = workspace.store.memory()
    marked = workspace.store.journal.position_of(journal_name(name)).session_id
    if marked and memory.document(marked) is not None:
        return marked
    known = clean_client_id(name)
    found = ask_index(workspace, lambda index: index.lookup(known))
    if len(found) > 1:
        raise Ambiguous(_SEVERAL.format(name), candidates=sorted(found))
    return found[0] if found else None


def session_of(workspace: Workspace, client_session_id: str) -> Session | None:
    """The session of a conversation, if there is a document of it. Raises Ambiguous."""
    session_id = find_conversation(workspace, client_session_id)
    return workspace.store.memory().session(session_id) if session_id else None


def _require_sane(name: str) -> None:
    if not name or not name.isprintable() or "/" in name or ".." in name:
        raise InvalidInput(
            f"{name!r} cannot be the name of a session.",
            hint="`ocm list` shows the ids; `last` is the newest one.",
        )


def _only(found: list[str], name: str) -> str:
    if len(found) > 1:
        raise Ambiguous(_SEVERAL.format(name), candidates=found[:_CANDIDATES])
    if not found:
        raise NotFound(
            f"No session is named {name!r}.",
            hint="`ocm list` shows the newest ones; `ocm search` finds older ones.",
        )
    return found[0]
