"""Forgetting sessions: out of the memory, and out of everything that repeats it.

Once the memory has the tombstones the rest follows from them, whoever is cut off: the
next command that reads the memory takes the other traces away, and the index begins
anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from gitmem.actions.forgetting.remote import forget_at_remote
from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.reading.documents import find_session
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import is_session_id
from gitmem.documents.session.session import Session, items_of
from gitmem.errors import Busy, InvalidInput, NotFound
from gitmem.search.index import Index
from gitmem.store.forgetting.removal import Removal
from gitmem.store.forgetting.rewriting import last_version
from gitmem.store.readable_copies import remove_copies
from gitmem.store.remote.remote import Line
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.counting import counted
from gitmem.workspace import Workspace


def sessions_named(
    workspace: Workspace, names: Iterable[str], *, from_history: bool
) -> list[Session]:
    """The sessions that are meant, each once; see find_session for errors.

    All those of a conversation are, as all of it is forgotten: two clones may have
    begun one each. With `from_history` also those that were forgotten already, by
    their ids.
    """
    found = {}
    for name in names:
        session = _session_named(workspace, name, from_history=from_history)
        found[session.id] = session
        found |= {each.id: each for each in _of_conversation(workspace, session)}
    return list(found.values())


def words_of(workspace: Workspace, session: Session) -> int:
    """How many words there are in its document and in what was said."""
    document = workspace.store.memory().text(session.id) or ""
    said = workspace.conversations.text(session) or ""
    return len(document.split()) + len(said.split())


def forget(workspace: Workspace, sessions: Sequence[Session]) -> None:
    """Take sessions out of the memory, as it is from now on.

    Raises Busy where other writers do not let us in; done again it goes on from there.
    """
    variables = workspace.environment.variables
    _forget(workspace, Removal(SESSION, sessions, workspace.now(), variables))


def items_meant(session: Session, texts: Iterable[str]) -> list[str]:
    """The items of a session that have these texts, or alone contain them.

    Raises NotFound where none does, and InvalidInput where several do.
    """
    return [_item_meant(session, text) for text in texts]


def forget_items(workspace: Workspace, session: Session, items: Sequence[str]) -> None:
    """Take items out of the lists of a session, here and in every clone that syncs.

    They stay out, whoever adds them again. Raises as `forget`.
    """
    workspace.store.remove_items(session.id, items, workspace.now())
    for folder in workspace.copy_folders():
        remove_copies(folder, session.id.__eq__, workspace.environment.variables)
    workspace.drop_traces()


def forget_history(
    workspace: Workspace, sessions: Sequence[Session], line: Line
) -> None:
    """The same, and out of all that the memory ever was; also where it is shared.

    There first: what was rewritten there is followed here, by whoever is cut off.
    Raises Unreachable, and then nothing is forgotten.
    """
    variables = workspace.environment.variables
    removal = Removal(SESSION, sessions, workspace.now(), variables, from_history=True)
    forget_at_remote(workspace, removal, line)
    _forget(workspace, removal)


def _item_meant(session: Session, text: str) -> str:
    items = dict.fromkeys(items_of(session))
    found = [item for item in items if item == text]
    found = found or [item for item in items if text in item]
    if not found:
        raise NotFound(
            f"No item of {session.id} has the text {text!r}.",
            hint=f"`ocm show {session.id}` shows its lists.",
        )
    if len(found) > 1:
        raise InvalidInput(
            f"{counted(len(found), 'item')} of {session.id} have the text {text!r}.",
            hint="Give more of the one that you mean.",
        )
    return found[0]


def _session_named(workspace: Workspace, name: str, *, from_history: bool) -> Session:
    try:
        session_id = find_session(workspace, name)
    except NotFound:
        before = _from_history(workspace, name) if from_history else None
        if before is None:
            _raise_if_forgotten(workspace, name)
            raise
        return before
    session = workspace.store.memory().document(session_id)
    if session is None:
        raise NotFound(f"There is no session {session_id}.")
    return session


def _of_conversation(workspace: Workspace, session: Session) -> Iterator[Session]:
    name = session.client_session_id
    ids = ask_index(workspace, partial(_all_named, name)) if name else []
    for each in filter(None, map(workspace.store.memory().document, ids)):
        if (each.tool, each.client_session_id) == (session.tool, name):
            yield each


def _all_named(name: str, index: Index) -> list[str]:
    """Raises Busy while the index may not have them all."""
    if index.extent:
        raise Busy(
            f"The search index is being built: {index.extent} so far.",
            hint="It knows which sessions belong together; `ocm status` says when.",
        )
    return index.lookup(name)


def _raise_if_forgotten(workspace: Workspace, name: str) -> None:
    if is_forgotten(workspace.store.memory(), name):
        raise NotFound(
            f"The session {name} was forgotten already.",
            hint="`ocm forget --help` says how earlier commits lose it as well.",
        )


def _from_history(workspace: Workspace, name: str) -> Session | None:
    """A session that is at no tip any more."""
    if not is_session_id(name):
        return None
    variables = workspace.environment.variables
    return last_version(workspace.repository, SESSION, name, variables)


def _forget(workspace: Workspace, removal: Removal) -> None:
    workspace.store.remove(removal)
    workspace.drop_traces(from_history=removal.from_history)
