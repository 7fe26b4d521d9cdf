"""What others forgot and this clone holds back: list, accept, refuse."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gitmem.documents.kinds import SESSION
from gitmem.errors import NotFound
from gitmem.frozen import frozen
from gitmem.redaction.redact import redact_own
from gitmem.store.forgetting.removal import Removal
from gitmem.store.lock import locked
from gitmem.store.remote.held_back import Held, Unsaid, read_unsaid, write_unsaid
from gitmem.store.remote.tracking import Tracked
from gitmem.store.trees.committing import Move, author, commit_on, in_some_try
from gitmem.store.trees.document_versions import who_added
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    sessions_at,
    sessions_at_tip,
)
from gitmem.store.trees.tombstones import (
    read_tombstone,
    rendered,
    tombstone_path,
    with_history,
)
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.actions.sharing.share_settings import Sharing
    from gitmem.git.values import Content

ALL = "all"
_NAMED = 3
_MOST_LOOKED_UP = 50
"""Sessions whose history is searched for who forgot them."""


@frozen
class Withheld:
    """A session forgotten by others, in whole or part, and still here."""

    session_id: str
    goal: str
    author: str
    """"" if unknown."""
    is_own: bool
    """Begun in this clone; else many were forgotten at once."""
    items: int
    """Forgotten items; 0 for the whole session."""
    by: str
    """`Name <address>` of the commit, which is not verified."""
    at: datetime | None


def withheld(workspace: Workspace, sharing: "Sharing") -> list[Withheld]:
    """Return what is held back, as of the last fetch. Raises Damaged, FormatTooNew."""
    memory, variables = workspace.store.memory(), workspace.environment.variables
    all_held, there = _held(workspace.tracked(sharing.remote))
    found = []
    for number, held in enumerate(all_held):
        session, path = memory.readable(held.session_id), min(held.paths)
        file, by = there.file(path), ""
        if there.commit and number < _MOST_LOOKED_UP:
            by = who_added(workspace.repository, there.commit, path, variables)
        found.append(
            Withheld(
                held.session_id,
                session.goal if session else "",
                session.author if session else "",
                held.is_own,
                held.items,
                by,
                read_tombstone(there.content(file)).when if file else None,
            )
        )
    return found


def accept(
    workspace: Workspace, sharing: "Sharing", names: Collection[str]
) -> list[str]:
    """Forget what others forgot; return the ids. Raises NotFound, Busy, Damaged."""
    tracked = workspace.tracked(sharing.remote)
    with locked(workspace.sync_lock):
        ids = [each.session_id for each in _meant(_held(tracked)[0], names)]
        sessions = [*filter(None, map(workspace.store.memory().readable, ids))]
        accepting = replace(tracked, accepted=frozenset(ids))
        accepting.land(accepting.taken())
    _drop_from_backups(workspace, sessions)
    workspace.drop_traces()
    return ids


def refuse(
    workspace: Workspace, sharing: "Sharing", names: Collection[str]
) -> list[str]:
    """Restore for everybody what others forgot; return the ids.

    The next sync sends it. Raises NotFound, Busy and Damaged.
    """
    with locked(workspace.sync_lock), locked(workspace.store.lock):
        all_held, there = _held(workspace.tracked(sharing.remote))
        held = _meant(all_held, names)
        git, now = workspace.repository, workspace.now()
        changes: dict[str, Content] = {
            path: rendered(read_tombstone(there.content(file)).restored(now))
            for path in sorted({path for each in held for path in each.paths})
            if (file := there.file(path))
        }

        def refused() -> bool | None:
            memory = sessions_at_tip(git)
            message = redact_own(f"restore: {counted(len(held), 'session')}\n")
            commit = commit_on(git, memory, changes, message, author(git, now))
            return Move(REF, memory.commit, commit, "restore").is_made(git) or None

        in_some_try(git, REF, refused)
    return [each.session_id for each in held]


def notices(workspace: Workspace, *, again: bool = False) -> list[str]:
    """Return new deletions by others, a sentence each, and mark them reported.

    `again` repeats what waits for a decision.
    """
    unsaid = read_unsaid(workspace.own_dir)
    said = [*_sentences(unsaid, with_held=again or not unsaid.is_held_said)]
    if said:
        reported = replace(unsaid, lost=(), is_held_said=True)
        write_unsaid(workspace.own_dir, reported)
    return said


def _sentences(unsaid: Unsaid, *, with_held: bool) -> Iterator[str]:
    if unsaid.lost:
        yield (
            f"{unsaid.remote} has lost {counted(len(unsaid.lost), 'session')} that"
            f" nobody forgot, or parts of them: {listed(unsaid.lost, _NAMED)}. They are"
            " kept here, and the next `ocm sync` sends them back."
        )
    if unsaid.held and with_held:
        yield (
            f"Others forgot {counted(len(unsaid.held), 'session')} at"
            f" {unsaid.remote}, begun in this clone or many at once:"
            f" {listed(unsaid.held, _NAMED)}. They are kept until you decide:"
            " `ocm sync --review`."
        )


def _drop_from_backups(workspace: Workspace, sessions: Iterable[Any]) -> None:
    """Remove forgotten sessions from backups, with history where asked."""
    memory, variables = workspace.store.memory(), workspace.environment.variables
    gone = [each for each in sessions if memory.entry(each.id) is None]
    known = with_history(memory)
    for from_history in (False, True):
        if some := [
            s for s in gone if (tombstone_path(SESSION, s) in known) is from_history
        ]:
            removal = Removal(SESSION, some, workspace.now(), variables, from_history)
            workspace.store.remove_from_backups(removal)


def _held(tracked: Tracked) -> tuple[tuple[Held, ...], SessionTree]:
    """Return what is held back, and the sessions at the remote with its inbox."""
    sessions = next(one for one in tracked.taken() if one.ref == REF)
    return sessions.held, sessions_at(tracked.git, sessions.inbox.tip)


def _meant(all_held: Iterable[Held], names: Collection[str]) -> list[Held]:
    held = {each.session_id: each for each in all_held}
    if ALL in names:
        return [*held.values()]
    if unknown := [name for name in names if name not in held]:
        raise NotFound(
            f"Nothing is held back of {listed(unknown, _NAMED)}.",
            hint="`ocm sync --review` lists what is, by whole ids.",
        )
    return [held[name] for name in dict.fromkeys(names)]
