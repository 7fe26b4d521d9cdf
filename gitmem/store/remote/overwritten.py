"""States of our refs that a fetch wrote over, merged with what it brought.

A mirror fetches straight into our refs (`+refs/*:refs/*`): what was saved here and is
not at the remote leaves them, and only the reflog leads to it.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path

from gitmem.git.layout import own_dir
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.lock import locked
from gitmem.store.remote.held_back import consent_in, note_unsaid
from gitmem.store.remote.merge_refs import (
    Taken,
    conversations_taken_in,
    sessions_taken_in,
)
from gitmem.store.trees import conversation_tree, session_tree
from gitmem.store.trees.committing import Move, author, in_some_try
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.kinds import REFS
from gitmem.store.trees.session_tree import SessionTree

_MOST_MOVES = 100
"""Of a reflog are looked at."""
_FORCED = ": forced-update"
"""How the line ends that git writes to the reflog."""
_REASON = "merge: what a fetch wrote over"


def merge_overwritten(
    git: Repository, lock: Path, when: datetime, patience: float
) -> None:
    """Merge what our refs lost to fetches into them, by commits of that time.

    What was fetched counts as what another clone has: see `held_back`. Raises Busy
    where others keep the lock, FormatTooNew and Damaged.
    """
    if not any(any(_overwritten(git, ref)) for ref in REFS):
        return
    with locked(lock, patience):
        merged = [*_merged(git, when)]
        lost = {each for one in merged for each in one.lost}
        held = {each.session_id for one in merged for each in one.held}
        note_unsaid(own_dir(git.common_dir), "the remote", lost, held)


def _overwritten(git: Repository, ref: str) -> Iterator[Oid]:
    """Where the ref was, and where it does not lead to any more; the last comes first.

    What is not here any more is left out.
    """
    tip = git.resolve_ref(ref)
    for move in reversed(git.moves(ref, _MOST_MOVES) or []):
        if tip is None or move.reason == _REASON:
            return
        is_here = move.reason.endswith(_FORCED) and git.tree_of(move.old)
        if is_here and git.merge_base(move.old, tip) != move.old:
            yield move.old


def _merged(git: Repository, when: datetime) -> Iterator[Taken]:
    consent = consent_in(own_dir(git.common_dir))
    tip, by = git.resolve_ref(session_tree.REF), author(git, when)
    sessions = Taken(session_tree.REF, tip, tip, tip, tip)

    for each in [*_overwritten(git, session_tree.REF)]:
        before = SessionTree(git, each)
        merge = partial(sessions_taken_in, git, before, by=by, consent=consent)
        yield (sessions := _landed(git, session_tree.REF, merge))
    for each in [*_overwritten(git, conversation_tree.REF)]:
        said = ConversationTree(git, each)
        merge = partial(conversations_taken_in, git, said, by=by, sessions=sessions)
        yield _landed(git, conversation_tree.REF, merge)


def _landed(git: Repository, ref: str, merge: Callable[[Oid | None], Taken]) -> Taken:
    def moved() -> Taken | None:
        tip = git.resolve_ref(ref)
        taken = merge(tip)
        return taken if Move(ref, tip, taken.commit, _REASON).is_made(git) else None

    return in_some_try(git, ref, moved)
