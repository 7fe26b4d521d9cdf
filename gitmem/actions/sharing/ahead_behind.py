"""How what is here stands to what is at the remote, told without asking there."""

from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from gitmem.actions.sharing.last_sync import LastSync, last_sync
from gitmem.actions.sharing.share_settings import sharing
from gitmem.errors import Damaged, FormatTooNew, InvalidInput
from gitmem.store.remote.held_back import read_unsaid
from gitmem.store.remote.inbox import waiting
from gitmem.store.remote.remote import Remote
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.workspace import Workspace

_MOST_READ = 200
"""Sessions that are read to learn how long they wait."""


@dataclass(frozen=True, slots=True)
class Shared:
    remote: str
    unsent: int
    """Sessions that the remote is not known to have as they are here."""
    last: LastSync | None
    why_not: str = ""
    """Why nothing can be shared so; nothing else is known then."""


def shared(workspace: Workspace) -> Shared | None:
    """None where memory is not shared."""
    try:
        chosen = sharing(workspace)
    except InvalidInput as error:
        return Shared("", 0, None, error.message)
    if chosen is None:
        return None
    count = len(unsent(workspace, chosen.remote))
    return Shared(chosen.remote.name, count, last_sync(workspace))


def at_remote(workspace: Workspace, remote: Remote) -> SessionTree:
    """The memory there, as far as it is known here.

    One that cannot be read is as none: whoever talks to the remote says what is wrong.
    """
    git = workspace.repository
    try:
        return SessionTree(git, git.resolve_ref(remote.tracking(REF)))
    except (Damaged, FormatTooNew):
        return SessionTree(git, None)


def unsent(workspace: Workspace, remote: Remote) -> AbstractSet[str]:
    """Ids of sessions that the remote is not known to have as they are here.

    But for those that others forgot, and that are held back. All of them, where its
    memory is here in part alone, as in a partial clone.
    """
    git, memory = workspace.repository, workspace.store.memory()
    held = {*read_unsaid(workspace.own_dir).held}
    try:
        ids = memory.differing_ids(at_remote(workspace, remote)) - held
    except Damaged:
        return set(memory.ids())
    for commit in waiting(git, remote, REF).values() if ids else ():
        with suppress(Damaged, FormatTooNew):
            there = SessionTree(git, commit)
            ids = {each for each in ids if there.entry(each) != memory.entry(each)}
    return ids


def waiting_since(workspace: Workspace, ids: AbstractSet[str]) -> datetime | None:
    """When that was saved which waits the longest; None where nothing can be read.

    Of very many sessions, the oldest are looked at.
    """
    memory = workspace.store.memory()
    sessions = map(memory.readable, sorted(ids)[:_MOST_READ])
    return min((each.updated_at for each in sessions if each), default=None)
