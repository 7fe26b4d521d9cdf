"""What changed between two states of the memory and of what was said in it.

A state is named by the commits of both refs, the memory's first. An index learns the
newest sessions first; one that is on its way is at `new|old|id`: at the state `new`
with the sessions from `id` on, and at `old` with those before.
"""

from functools import partial

from gitmem.documents.changes import Changed, Changes, session_entry
from gitmem.documents.session.kind import SESSION
from gitmem.errors import Damaged
from gitmem.git.repository import Repository
from gitmem.git.values import is_oid
from gitmem.store.trees.conversation_tree import Conversations
from gitmem.store.trees.session_tree import SessionTree, sessions_at
from gitmem.store.trees.tombstones import all_tombstones


def state(memory: SessionTree, said: Conversations) -> str:
    """The name of the present state; empty where there are no sessions.

    Conversations that cannot be read are as none: sessions are found without them.
    """
    if not memory.commit:
        return ""
    of_said = said.commit if said.is_readable() else None
    return f"{memory.commit} {of_said or ''}".strip()


def changes(
    git: Repository, memory: SessionTree, said: Conversations, since: str | None
) -> Changes:
    """The sessions that differ between `since` and now, by document or conversation.

    The newest first.
    """
    tip = state(memory, said)  # first: what is said meanwhile is told the next time
    readable = said if said.is_readable() else None
    new, old, reached = _parted(since or "")
    if not all(_is_known(git, memory, readable, each) for each in (new, old) if each):
        since, new, old, reached = None, "", "", _END
    ids = {one for one in _differing(git, memory, readable, old) if one < reached}
    if new != old:
        newer = _differing(git, memory, readable, new)
        ids |= {one for one in newer if one >= reached}
    ordered = sorted(ids, reverse=True)
    told = (_changed(memory, readable, each) for each in ordered)
    return Changes(
        since or None,
        tip,
        len(ids),
        told,
        lambda one: f"{tip}|{old}|{one}" if one < reached else None,
    )


_END = "~"
"""Behind every id."""


def _parted(since: str) -> tuple[str, str, str]:
    """The states before and behind an id, and the id."""
    if "|" not in since:
        return since, since, _END
    new, old, reached = since.split("|")
    return new, old, reached


def _is_known(
    git: Repository, memory: SessionTree, said: Conversations | None, before: str
) -> bool:
    """Whether it can be told what is different from a state."""
    commits = before.split(" ")
    if not all(is_oid(each) and git.tree_of(each) for each in commits):
        return False
    if len(commits) > 1 and not said:
        return False  # nobody knows which sessions had a conversation
    # an index that only leaves sessions out keeps their words
    return all_tombstones(sessions_at(git, commits[0])) == all_tombstones(memory)


def _differing(
    git: Repository, memory: SessionTree, said: Conversations | None, before: str
) -> set[str]:
    commit, _, of_said = before.partition(" ")
    ids = memory.differing_ids(sessions_at(git, commit or None))
    return ids | said.differing_ids(of_said or None) if said else ids


def _changed(
    memory: SessionTree, said: Conversations | None, session_id: str
) -> Changed:
    """Without an entry where git cannot read it: one must not hide all the others."""
    try:
        document = memory.text(session_id)
    except Damaged:
        document = None
    if document is None:
        return Changed(SESSION.name, session_id, None)
    text = said.text_of(session_id, document) if said else None
    entry = partial(session_entry, session_id, document, text or "")
    return Changed(SESSION.name, session_id, entry)
