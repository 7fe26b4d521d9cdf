"""What changed between two states of the memory and of what was said in it.

A state is named by the commits of both refs, the memory's first.
"""

from gitmem.model.changes import Changes, Told
from gitmem.model.conversation import parse
from gitmem.model.session import Session
from gitmem.store.git.repository import Repository
from gitmem.store.git.values import Oid, is_oid
from gitmem.store.trees.conversations import Conversations
from gitmem.store.trees.forgotten import all_tombstones
from gitmem.store.trees.memory import Memory


def state(memory: Memory, said: Conversations) -> str:
    """The name of the present state; empty where there are no sessions.

    Conversations that cannot be read are as none: sessions are found without them.
    """
    if not memory.commit:
        return ""
    of_said = said.commit if said.is_readable() else None
    return f"{memory.commit} {of_said or ''}".strip()


def changes(
    git: Repository, memory: Memory, said: Conversations, since: str | None
) -> Changes:
    """The sessions that differ between `since` and now, by document or conversation."""
    tip = state(memory, said)  # first: what is said meanwhile is told the next time
    is_readable = said.is_readable()
    before = _known(git, since)
    if before and before[1] and not is_readable:
        before = None  # nobody knows which sessions had one
    earlier = Memory(git, before[0] if before else None)
    if before and all_tombstones(earlier) != all_tombstones(memory):
        before = None  # an index that only leaves sessions out keeps their words
        earlier = Memory(git, None)
    ids = memory.differing_ids(earlier)
    if is_readable:
        ids |= said.differing_ids(before[1] if before else None)
    told = (
        (each, _told(memory.readable(each), said if is_readable else None))
        for each in sorted(ids)
    )
    return Changes(since if before else None, tip, len(ids), told)


def _known(git: Repository, since: str | None) -> tuple[Oid, Oid | None] | None:
    """The two commits of a state; None where one of them is gone."""
    commits = since.split(" ") if since else []
    if not commits or not all(is_oid(c) and git.tree_of(c) for c in commits):
        return None
    return commits[0], commits[1] if len(commits) > 1 else None


def _told(session: Session | None, said: Conversations | None) -> Told | None:
    if session is None:
        return None
    text = said.text(session) if said else None
    return Told(session, parse(text or ""))
