"""How the last sync went, and what is to be sent, without asking the remote."""

from collections.abc import Set as AbstractSet
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from gitmem.errors import Damaged, FormatTooNew, InvalidInput
from gitmem.frozen import frozen
from gitmem.git.files import read_value, write_value
from gitmem.store.remote.held_back import read_unsaid
from gitmem.store.remote.inbox import waiting
from gitmem.store.remote.remote import Remote, remote_of
from gitmem.store.trees.document_tree import AnyTree
from gitmem.workspace import Workspace

_MOST_READ = 200


@frozen
class LastSync:
    at: datetime
    remote: str
    words: str
    """The result, a sentence."""
    error: str | None = None
    hint: str | None = None

    def as_json(self) -> dict[str, object]:
        failure = {"error": self.error, "hint": self.hint}
        return {"at": self.at.isoformat(), "what": self.words, **failure}


@frozen
class Shared:
    remote: str | None = None
    unsent: int = 0
    last: LastSync | None = None
    why_not: str | None = None
    """Why sharing fails; then nothing else is known."""


def shared(workspace: Workspace) -> Shared | None:
    """Return the state of sharing, None if the memory is not shared."""
    if workspace.chosen is None:
        return None
    try:
        remote = remote_of(workspace.repository, workspace.chosen)
    except InvalidInput as error:
        return Shared(why_not=error.message)
    return Shared(remote.name, len(unsent(workspace, remote)), last_sync(workspace))


def last_sync(workspace: Workspace) -> LastSync | None:
    """Return the last sync, None if unknown."""
    return read_value(_file(workspace), LastSync)


def remember(workspace: Workspace, last: LastSync) -> None:
    """Note how a sync went; ignore a failure to do so."""
    with suppress(OSError):
        write_value(_file(workspace), last)


def forget_last_sync(workspace: Workspace) -> None:
    _file(workspace).unlink(missing_ok=True)


def at_remote(workspace: Workspace, remote: Remote, memory: AnyTree) -> AnyTree:
    """Return the documents at the remote as last fetched; none where damaged."""
    name = remote.tracking(memory.kind.ref)
    try:
        return memory.at(workspace.repository.resolve_ref(name))
    except (Damaged, FormatTooNew):
        return memory.at(None)


def unsent(
    workspace: Workspace, remote: Remote, memory: AnyTree | None = None
) -> AbstractSet[str]:
    """Return ids of documents that differ from the last fetch, but for held ones.

    Those of sessions, unless others are given. All ids in a partial clone that lacks
    some of the remote's trees.
    """
    git, memory = workspace.repository, memory or workspace.store.memory()
    held_ids = {*read_unsaid(workspace.own_dir).held}
    try:
        ids = memory.differing_ids(at_remote(workspace, remote, memory)) - held_ids
    except Damaged:
        return set(memory.ids())
    for commit in waiting(git, remote, memory.kind.ref).values() if ids else ():
        with suppress(Damaged, FormatTooNew):
            waiting_tree = memory.at(commit)
            ids = {
                document_id
                for document_id in ids
                if waiting_tree.entry(document_id) != memory.entry(document_id)
            }
    return ids


def waiting_since(workspace: Workspace, ids: AbstractSet[str]) -> datetime | None:
    """Return when the longest waiting session was saved, of the 200 oldest."""
    memory = workspace.store.memory()
    sessions = map(memory.readable, sorted(ids)[:_MOST_READ])
    return min((session.updated_at for session in sessions if session), default=None)


def _file(workspace: Workspace) -> Path:
    return workspace.own_dir / "sync.json"
