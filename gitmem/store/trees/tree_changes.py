"""What changed between two states of the memory, for an index.

A state is the commits of sessions and conversations, and of other kinds behind a
semicolon: `<sessions> <conversations>;<kind>=<commit>`. An index learns the newest
sessions first; one in progress is at `new|old|id`: at state `new` with the sessions
from `id` on, and at `old` with those before.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Self

from gitmem.documents.changes import Changed, Changes, entry_of, session_entry
from gitmem.documents.kinds import CONVERSATION, KINDS, SESSION
from gitmem.errors import Damaged, FormatTooNew
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.document_tree import AnyTree, tree_at_tip
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import all_tombstones

_END = "~"
"""Behind every id of a session."""


@frozen
class Searched:
    """All that an index is to know, as it is now."""

    git: Repository
    memory: SessionTree
    said: ConversationTree | None
    """None where they cannot be read: sessions are found so, too."""
    others: Sequence[AnyTree]
    """Documents of the kinds that are found beside sessions."""

    @classmethod
    def now(cls, git: Repository, memory: SessionTree) -> Self:
        """Read the other kinds at their tips."""
        kinds = (kind for kind in KINDS.values() if kind is not SESSION)
        other_trees = [tree_at_tip(kind, git) for kind in kinds if kind.parent is None]
        return cls(git, memory, _conversations(git), other_trees)

    @property
    def tombstones(self) -> tuple[Oid | None, ...]:
        """Others, wherever anything else is forgotten."""
        return (*map(all_tombstones, (self.memory, *self.others)),)

    @property
    def state(self) -> str:
        """The name of this state; empty where there is nothing."""
        return f"{self._sessions}{self._of_others}"

    @property
    def _sessions(self) -> str:
        if not self.memory.commit:
            return ""
        of_said = self.said.commit if self.said else None
        return f"{self.memory.commit} {of_said or ''}".strip()

    @property
    def _of_others(self) -> str:
        return "".join(f";{t.kind.name}={t.commit}" for t in self.others if t.commit)

    def changes(self, since: str | None) -> Changes:
        """Return the documents that differ between `since` and now, newest first.

        Sessions by document or conversation; those of other kinds come before them.
        """
        tip, other_trees = self._sessions, self._of_others
        new, old, reached, known_tips = _parted(since or "")
        is_known = all(map(self._is_known, filter(None, (new, old))))
        if not (is_known and self._are_known(known_tips)):
            since, new, old, reached, known_tips = None, "", "", _END, {}
        ids = {
            session_id for session_id in self._differing(old) if session_id < reached
        }
        if new != old:
            ids |= {
                session_id
                for session_id in self._differing(new)
                if session_id >= reached
            }
        beside = [*self._beside(known_tips)]
        sessions = map(self._changed, sorted(ids)[::-1])
        return Changes(
            since or None,
            f"{tip}{other_trees}",
            len(ids) + len(beside),
            chain(beside, sessions),
            lambda session_id: (
                f"{tip}|{old}|{session_id}{other_trees}"
                if session_id in ids and session_id < reached
                else None
            ),
        )

    def _is_known(self, before: str) -> bool:
        """Return whether the changes of sessions since a state can be computed."""
        commits = before.split(" ")
        if not all(map(self.git.tree_of, commits)):
            return False
        if len(commits) > 1 and not self.said:
            return False  # nobody knows which sessions had a conversation
        # an index that only leaves sessions out keeps their words
        then = self.memory.at(commits[0])
        return all_tombstones(then) == all_tombstones(self.memory)

    def _differing(self, before: str) -> set[str]:
        commit, _, of_said = before.partition(" ")
        ids = self.memory.differing_ids(self.memory.at(commit or None))
        if self.said is None:
            return ids
        is_known = self.git.tree_of(of_said or None)
        spoken = self.said.differing_ids(self.said.at(of_said if is_known else None))
        return ids.union(
            self.memory.id_like(session_id) or session_id for session_id in spoken
        )

    def _changed(self, session_id: str) -> Changed:
        """Describe a change, without an entry where git cannot read the document."""
        document, conversations = self.memory.readable_text(session_id), self.said
        text = (
            conversations.text_like(session_id) if conversations and document else None
        )
        entry = partial(session_entry, session_id, document, text or "")
        return Changed(SESSION.name, session_id, entry)

    def _are_known(self, known_tips: Mapping[str, str]) -> bool:
        """Return whether the changes of other kinds can be computed."""
        return all(
            (not commit or self.git.tree_of(commit))
            and all_tombstones(tree.at(commit)) == all_tombstones(tree)
            for tree in self.others
            for commit in [known_tips.get(tree.kind.name)]
        )

    def _beside(self, known_tips: Mapping[str, str]) -> Iterator[Changed]:
        for tree in self.others:
            before = tree.at(known_tips.get(tree.kind.name))
            for document_id in sorted(tree.differing_ids(before)):
                text = tree.readable_text(document_id)
                entry = partial(entry_of, tree.kind, document_id, text)
                yield Changed(tree.kind.name, document_id, entry)


def _conversations(git: Repository) -> ConversationTree | None:
    with suppress(Damaged, FormatTooNew):
        return tree_at_tip(CONVERSATION, git)
    return None


def other_tips(state: str) -> dict[str, str]:
    """Return the commits of kinds beside sessions in the name of a state, by kind."""
    return _parted(state)[3]


def _parted(since: str) -> tuple[str, str, str, dict[str, str]]:
    """Split a state: sessions from an id on and before it, the id, other kinds."""
    sessions, *other_tips = since.split(";")
    known_tips = dict(tip.split("=", 1) for tip in other_tips if "=" in tip)
    if sessions.count("|") != 2:
        return sessions, sessions, _END, known_tips
    new, old, reached = sessions.split("|")
    return new, old, reached, known_tips
