"""Forget documents: remove them from the memory and everything derived from it.

The tombstones come first. If the process is killed after them, the next command that
reads the memory removes the other traces and rebuilds the index.

History is rewritten at the remote first. That push is leased: it fails if somebody else
moved the ref, and nothing is forgotten: the next try rewrites their commits too.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.documents.session.session import Session, items_of
from gitmem.errors import Busy, InvalidInput, NotFound, Unreachable
from gitmem.lookup import find
from gitmem.store.forgetting.removal import Removal, tips_without
from gitmem.store.forgetting.squashing import last_version
from gitmem.store.lock import locked
from gitmem.store.readable_copies import copy_names, remove_copies
from gitmem.store.remote.fetching import fetch
from gitmem.store.remote.pushing import replace, require_agreed
from gitmem.store.remote.remote import TRACKING, TransportOptions, remote_of
from gitmem.store.remote.tracking import Tracked
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_PRUNED_LATER = (
    "Objects that no ref leads to stay in this repository until git prunes them, as a"
    " rule after two weeks."
)
_AT_OTHERS = (
    "Clones of others have it until they sync; their backups and reflogs, for weeks.",
    "The host of the remote may keep what no ref leads to, in caches and in forks.",
)
_SENT_BY_OTHERS = (
    "Conversations that others sent stay in earlier commits at the remote, as this"
    " clone does not share any."
)
_FORMER_REMOTE = "A remote that the memory was shared with before keeps what it has."
_ALWAYS = (
    "Backups of this repository have what they had.",
    "The assistant's own transcript, where it keeps one, is left as it is.",
)
_STILL_IN_HISTORY = (
    "Earlier commits of {ref} still have it; `--history` takes it out of these as well."
)
_SYNC = "`ocm sync` lets the other clones forget it."


def sessions_named(
    workspace: Workspace, names: Iterable[str], *, from_history: bool
) -> list[Session]:
    """Return the named sessions, each once; see `find_id` for errors.

    Other sessions of the same conversation are among them: two clones may have begun
    one each. With `from_history`, an id also names a session forgotten earlier.
    """
    sessions = {}
    for name in names:
        session = _session_named(workspace, name, from_history=from_history)
        sessions[session.id] = session
        sessions |= {
            document.id: document for document in _of_conversation(workspace, session)
        }
    return list(sessions.values())


def words_of(workspace: Workspace, session: Session) -> int:
    """Return the number of words in its document and conversation."""
    document = workspace.store.memory().text(session.id) or ""
    conversation = workspace.conversations.text_like(session.id) or ""
    return len(document.split()) + len(conversation.split())


def forget(
    workspace: Workspace,
    documents: Sequence[Any],
    transport: TransportOptions | None = None,
    kind: Kind[Any] = SESSION,
) -> None:
    """Remove documents from the memory; with `transport` from all history as well.

    That of the remote comes first: Unreachable and Busy of it mean that nothing was
    forgotten. Raises Busy while others write; running it again continues.
    """
    from_history = transport is not None
    removal = Removal(kind, documents, workspace.now(), from_history)
    if transport:
        _forget_at_remote(workspace, removal, transport)
    workspace.documents_of(kind).remove(removal)
    if kind is SESSION:
        workspace.drop_traces(from_history=from_history)
    else:
        _drop_copies(workspace, {*map(kind.document_id, documents)})
        workspace.recreate_index()


def forget_items(workspace: Workspace, session: Session, items: Sequence[str]) -> None:
    """Remove items from a session's lists, for good, here and in clones that sync.

    Raises as `forget`.
    """
    workspace.store.remove_items(session.id, items, workspace.now())
    _drop_copies(workspace, {*copy_names(SESSION, session)})
    workspace.drop_traces()


def remains(
    workspace: Workspace, kind: Kind[Any] = SESSION, *, from_history: bool
) -> list[str]:
    """Return sentences on what forgetting does not reach, the nearest first.

    To be asked for before the documents are forgotten.
    """
    chosen = workspace.chosen
    still_there = _STILL_IN_HISTORY.format(ref=kind.ref)
    remarks = [_PRUNED_LATER] if from_history else [still_there]
    if chosen:
        remarks += _AT_OTHERS if from_history else [_SYNC]
    is_of_sessions = from_history and kind is SESSION
    if chosen and is_of_sessions and not chosen.with_conversations:
        remarks.append(_SENT_BY_OTHERS)
    if _given_before(workspace):
        remarks.append(_FORMER_REMOTE)
    return [*remarks, *_ALWAYS]


def item_meant(session: Session, text: str) -> str:
    """Return the item of a session with this text, or the only one containing it.

    Raises NotFound where none does, and InvalidInput where several do.
    """
    items = dict.fromkeys(items_of(session))
    matching = [item for item in items if item == text]
    matching = matching or [item for item in items if text in item]
    if not matching:
        raise NotFound(
            f"No item of {session.session_id} has the text {text!r}.",
            hint=f"`ocm show {session.session_id}` shows its lists.",
        )
    if len(matching) > 1:
        raise InvalidInput(
            f"{counted(len(matching), 'item')} of {session.session_id}"
            f" have the text {text!r}.",
            hint="Give more of its text.",
        )
    return matching[0]


def _session_named(workspace: Workspace, name: str, *, from_history: bool) -> Session:
    try:
        return find(workspace, SESSION, name)
    except NotFound as error:
        is_past = from_history and SESSION.is_id(name)
        if is_past and (past := last_version(workspace.repository, SESSION, name)):
            return past
        if is_forgotten(workspace.store.memory(), name):
            raise NotFound(
                f"The session {name} was forgotten already.",
                hint="`ocm forget --help` says how earlier commits lose it as well.",
            ) from None
        message = f"No session or memory is named {name!r}."
        raise NotFound(message, hint=error.hint) from None


def _of_conversation(workspace: Workspace, session: Session) -> Iterator[Session]:
    memory, identity = workspace.store.memory(), SESSION.identity(session.id)
    ids = (name for name in memory.ids() if SESSION.identity(name) == identity)
    yield from filter(None, map(memory.document, ids))


def _drop_copies(workspace: Workspace, names: Collection[str]) -> None:
    for folder in workspace.copy_folders():
        remove_copies(folder, names.__contains__, workspace.environment.variables)


def _forget_at_remote(
    workspace: Workspace, removal: Removal, transport: TransportOptions
) -> None:
    """Rewrite what is shared, and delete tracking refs of former remotes.

    Raises Unreachable, and Busy where others pushed meanwhile.
    """
    if chosen := workspace.chosen:
        tracked = workspace.tracked(remote_of(workspace.repository, chosen))
        try:
            with locked(workspace.sync_lock):
                require_agreed(workspace.repository, tracked.remote)
                _rewrite(workspace, tracked, removal, transport)
        except (Unreachable, Busy) as error:
            place = workspace.project  # a space, or this repository
            message = f"{error.message.rstrip('.')}. Nothing was forgotten in {place}."
            raise type(error)(message, hint=error.hint) from error
    for ref in _given_before(workspace):
        workspace.repository.delete_ref(ref)


def _given_before(workspace: Workspace) -> list[str]:
    """Return tracking refs of what was shared once and is no longer."""
    git, chosen = workspace.repository, workspace.chosen
    remote = remote_of(git, chosen) if chosen else None
    tracking_refs = (*map(remote.tracking, remote.refs),) if remote else ()
    inboxes = (*map(remote.tracked_inbox, remote.refs),) if remote else ()
    refs = (ref for ref in git.refs(TRACKING) if ref not in tracking_refs)
    return [ref for ref in refs if not ref.startswith(inboxes)]


def _rewrite(
    workspace: Workspace,
    tracked: Tracked,
    removal: Removal,
    transport: TransportOptions,
) -> None:
    fetch(tracked.git, tracked.remote, transport)
    store = workspace.documents_of(removal.kind)
    store.replay()
    tracked.land(tracked.taken())
    if not _is_replaced(tracked, removal, transport):
        raise Busy(
            f"Others pushed to {tracked.remote.name} just now.", hint="Try again."
        )
    store.remove(removal)
    results = tracked.taken()
    tracked.clear(results, transport)
    tracked.land(results)  # to remember where they are now


def _is_replaced(
    tracked: Tracked, removal: Removal, transport: TransportOptions
) -> bool:
    """Push the new history of the refs the remote has; tell whether it took them."""
    git, remote = tracked.git, tracked.remote
    kinds = filter(removal.concerns, KINDS.values())
    tips = {kind.ref: git.resolve_ref(kind.ref) for kind in kinds}
    new = tips_without(git, removal, tips)
    shared = {ref: git.resolve_ref(remote.tracking(ref)) for ref in remote.refs}
    moves = {ref: (old, new[ref]) for ref, old in shared.items() if old and ref in new}
    moves = {ref: move for ref, move in moves.items() if move[0] != move[1]}
    return not moves or replace(git, remote, moves, transport)
