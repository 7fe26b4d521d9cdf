"""What changed between two states of the memory and of what was said in it.

A state is named by the commits of both refs, the memory's first.
"""

import re

from gitmem.model.changes import Changes, Told
from gitmem.model.conversation import parse
from gitmem.model.session import Session
from gitmem.store.conversations import Conversations
from gitmem.store.memory import Memory
from gitmem.store.repository import Oid, Repository

_NAME = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


def state(memory: Memory, said: Conversations) -> str:
    """The name of the present state; empty where there are no sessions."""
    return f"{memory.commit} {said.commit or ''}".strip() if memory.commit else ""


def changes(
    git: Repository, memory: Memory, said: Conversations, since: str | None
) -> Changes:
    """The sessions that differ between `since` and now, by document or conversation."""
    before = _known(git, since)
    ids = memory.differing_ids(Memory(git, before[0] if before else None))
    ids |= said.differing_ids(before[1] if before else None)
    told = ((each, _told(memory.readable(each), said)) for each in sorted(ids))
    return Changes(since if before else None, state(memory, said), len(ids), told)


def _known(git: Repository, since: str | None) -> tuple[Oid, Oid | None] | None:
    """The two commits of a state; None where one of them is gone."""
    commits = since.split(" ") if since else []
    if not commits or not all(_NAME.fullmatch(c) and git.tree_of(c) for c in commits):
        return None
    return commits[0], commits[1] if len(commits) > 1 else None


def _told(session: Session | None, said: Conversations) -> Told | None:
    if session is None:
        return None
    return Told(session, parse(said.text(session) or ""))
