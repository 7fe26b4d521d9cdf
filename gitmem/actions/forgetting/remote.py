"""Rewrite the history of the memory at the remote.

The push is leased: it fails if somebody else moved the ref. Then their commits are
fetched, merged with ours, and all of it is rewritten again.
"""

import random
import time

from gitmem.documents.kinds import KINDS
from gitmem.errors import Busy, Unreachable
from gitmem.store.forgetting.removal import Removal, tips_without
from gitmem.store.lock import locked
from gitmem.store.remote.fetching import fetch
from gitmem.store.remote.pushing import replace
from gitmem.store.remote.remote import TRACKING, Line, remote_of
from gitmem.store.remote.tracking import Tracked
from gitmem.waiting import Wait
from gitmem.workspace import Workspace

_TRIES = 10
_PAUSE = 0.5
"""Seconds at most before the second try; twice that before the third, and so on."""


def forget_at_remote(workspace: Workspace, removal: Removal, line: Line) -> None:
    """Rewrite what is shared, and delete tracking refs of former remotes.

    Raises Unreachable, and Busy where others pushed first every time.
    """
    if chosen := workspace.chosen:
        tracked = workspace.tracked(remote_of(workspace.repository, chosen))
        try:
            with locked(workspace.sync_lock):
                _rewrite(workspace, tracked, removal, line)
        except (Unreachable, Busy) as error:
            message = f"{error.message.rstrip('.')}. Nothing was forgotten."
            raise type(error)(message, hint=error.hint) from error
    for ref in given_before(workspace):
        workspace.repository.delete_ref(ref)


def given_before(workspace: Workspace) -> list[str]:
    """Return tracking refs of what was shared once and is no longer."""
    git, chosen = workspace.repository, workspace.chosen
    remote = remote_of(git, chosen) if chosen else None
    kept = (*map(remote.tracking, remote.refs),) if remote else ()
    inboxes = (*map(remote.tracked_inbox, remote.refs),) if remote else ()
    refs = (ref for ref in git.refs(TRACKING) if ref not in kept)
    return [ref for ref in refs if not ref.startswith(inboxes)]


def _rewrite(
    workspace: Workspace, tracked: Tracked, removal: Removal, line: Line
) -> None:
    others = Wait(lambda: "others, who push to the remote as well")
    for tries in range(_TRIES):
        fetch(tracked.git, tracked.remote, line)
        workspace.store.replay()
        tracked.land(tracked.taken())
        if _is_replaced(tracked, removal, line):
            workspace.store.remove(removal)
            taken = tracked.taken()
            tracked.clear(taken, line)
            tracked.land(taken)  # to remember where they are now
            return
        others.goes_on()
        time.sleep(random.uniform(0, _PAUSE * 2**tries))  # noqa: S311 - no secret
    raise Busy(
        f"Others were faster each time at {tracked.remote.name}.", hint="Try again."
    )


def _is_replaced(tracked: Tracked, removal: Removal, line: Line) -> bool:
    """Push the new history of the refs the remote has; tell whether it took them."""
    git, remote = tracked.git, tracked.remote
    kinds = filter(removal.concerns, KINDS.values())
    tips = {kind.ref: git.resolve_ref(kind.ref) for kind in kinds}
    now = tips_without(git, removal, tips)
    there = {ref: git.resolve_ref(remote.tracking(ref)) for ref in remote.refs}
    if tracked.signer:
        now = {ref: tracked.signer.on_top(tip) for ref, tip in now.items()}
    moves = {ref: (old, now[ref]) for ref, old in there.items() if old and ref in now}
    moves = {ref: move for ref, move in moves.items() if move[0] != move[1]}
    return not moves or replace(git, remote, moves, line)
