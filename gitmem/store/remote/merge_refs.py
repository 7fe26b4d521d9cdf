"""What our ref becomes when the history of another clone is taken in.

Three-way by session: what one side alone changed since the two parted is as that side
has it, but nothing is taken away by that. Only tombstones do: and those that are held
back, until the user accepts them, count for what is sent, and not for what is here.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from gitmem.errors import Damaged
from gitmem.git.objects import commit_parts
from gitmem.git.repository import Repository
from gitmem.git.values import Content, Oid, Signature
from gitmem.redaction.redact import Redacted, redact_own
from gitmem.store.remote.held_back import Consent, Held
from gitmem.store.remote.merge_documents import (
    lost_there,
    settled_conversations,
    settled_documents,
)
from gitmem.store.remote.merge_result import Arrival, Taken
from gitmem.store.remote.merge_sides import Sides
from gitmem.store.remote.untrusted import Difference, difference
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.day_tree import FORMAT_FILE, DayTree
from gitmem.store.trees.reachability import remembers
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tombstones import with_history
from gitmem.text.counting import counted

T = TypeVar("T", bound=DayTree)
_Settle = Callable[[Sides[T]], Mapping[str, Content]]
"""Gives each text that differs as it is to be, by the id of its session."""
_Withheld = Callable[[Sides[T]], tuple[Held, ...]]


def sessions_taken_in(
    git: Repository,
    here: SessionTree,
    arrival: Arrival,
    by: Signature,
    consent: Consent | None,
) -> Taken:
    """Our sessions with what arrived taken in, by a commit of that author and time.

    Nothing is held back where nobody is asked for consent. Raises FormatTooNew where a
    newer gitmem wrote theirs, and Damaged where it cannot be read, or is something
    else.
    """
    there = SessionTree(git, _commit(git, arrival))
    meeting = _Meeting(git, here, there, there, by)
    withheld = consent.withheld if consent else lambda _: ()
    return meeting.taken(arrival.followed, settled_documents, withheld)


def conversations_taken_in(
    git: Repository,
    here: ConversationTree,
    arrival: Arrival,
    by: Signature,
    sessions: Taken,
) -> Taken:
    """The same for conversations, `sessions` being what became of the sessions.

    Those of forgotten sessions are left out.
    """
    there = ConversationTree(git, _commit(git, arrival))
    sent = SessionTree(git, sessions.sent)
    after = (
        sent if sessions.sent == sessions.commit else SessionTree(git, sessions.commit)
    )
    meeting = _Meeting(git, here, there, sent, by)

    def settle(sides: Sides[ConversationTree]) -> dict[str, Content]:
        return settled_conversations(sides, after if sides.held else sent)

    return meeting.taken(arrival.followed, settle, lambda _: sessions.held)


def _commit(git: Repository, arrival: Arrival) -> Oid | None:
    theirs = arrival.commit
    if theirs and not git.first_parents(theirs, 1):
        raise Damaged(f"What came for {arrival.ref} is no commit: {theirs}")
    return theirs


@dataclass(frozen=True, slots=True)
class _Course:
    """How two histories become one."""

    parents: list[Oid]
    """Of the commit in which they do."""
    base: Oid | None
    """Where they parted, if that says what each side changed."""
    is_ahead: bool = False
    """Whether theirs has nothing new."""


@dataclass(frozen=True, slots=True)
class _Meeting(Generic[T]):
    """Of two histories of one ref."""

    git: Repository
    ours: T
    theirs: T
    memory: SessionTree
    """The one that says what was forgotten there."""
    by: Signature

    def taken(
        self, followed: Oid | None, settle: _Settle[T], withheld: _Withheld[T]
    ) -> Taken:
        found = difference(self.git, self.ours, self.theirs)
        self._refuse_others(found)
        course = self._course(followed)
        base = self._at(course.base)
        heard = self._heard(followed) or base
        sides = Sides(self.ours, self.theirs, base, heard, found).with_buried()
        held = withheld(sides)
        if course.is_ahead and not held and not sides.forgets:
            return self._as_it_is(sides)
        for_remote = texts = settle(sides)
        commit = sent = self._sent(sides, texts, course)
        if held:
            paths = frozenset(path for each in held for path in each.paths)
            sides = replace(sides, held=paths)
            texts = settle(sides)
            commit = self._held_back(sides, texts, course, self._at(sent))
        return Taken(
            ref=self.ours.ref,
            ours=self.ours.commit,
            theirs=self.theirs.commit,
            commit=commit,
            sent=sent,
            arriving=_differing(texts, self.ours),
            leaving=_differing(for_remote, self.theirs),
            lost=lost_there(sides, for_remote),
            held=held,
            strangers=tuple(found.strangers),
            more_strangers=found.more_strangers,
        )

    def _heard(self, followed: Oid | None) -> T | None:
        """Theirs when we last heard of it, as far as that is still here."""
        with suppress(Damaged):
            return self._at(followed) if followed else None
        return None

    def _at(self, commit: Oid | None) -> T:
        return type(self.ours)(self.git, commit)

    def _refuse_others(self, found: Difference) -> None:
        """The branch of a project must not become a memory, and be pushed as one."""
        is_marked = self.theirs.file(FORMAT_FILE) is not None
        if self.theirs.commit and found.strangers and not is_marked:
            raise Damaged(
                f"What came for {self.ours.ref} was not written by gitmem.",
                hint="Does `ocm.remoteRef` name a branch of something else?",
            )

    def _as_it_is(self, sides: Sides[T]) -> Taken:
        return Taken(
            ref=self.ours.ref,
            ours=self.ours.commit,
            theirs=self.theirs.commit,
            commit=self.ours.commit,
            sent=self.ours.commit,
            arriving=frozenset(),
            leaving=frozenset(sides.found.texts),
            lost=lost_there(sides, {}),
        )

    def _course(self, followed: Oid | None) -> _Course:
        ours, theirs = self.ours.commit, self.theirs.commit
        only_theirs = [theirs] if theirs else []
        if ours is None:
            return _Course(only_theirs, None, is_ahead=theirs is None)
        base = self.git.merge_base(ours, theirs) if theirs else None
        if base == ours:
            return _Course(only_theirs, ours)
        goes_on = followed is None or self._leads_to(followed, theirs)
        if self._is_given_up(base):
            return _Course(only_theirs, base if goes_on else None)
        if base == theirs:
            return _Course([ours], base, is_ahead=True)
        if self._has_merges_alone():
            return _Course(only_theirs, base if goes_on else None)
        return _Course([ours, *only_theirs], base if goes_on else None)

    def _leads_to(self, commit: Oid, other: Oid | None) -> bool:
        if other is None or self.git.tree_of(commit) is None:
            return False
        return self.git.merge_base(commit, other) == commit

    def _is_given_up(self, base: Oid | None) -> bool:
        """Whether commits of ours lead to what is to be in no commit any more.

        Ahead of a memory there are none but for what is held back: what it has
        forgotten is not saved again.
        """
        has_news, tombstones = base != self.theirs.commit, with_history(self.memory)
        if self.memory is self.theirs and not has_news and tombstones:
            tombstones -= with_history(SessionTree(self.git, self.ours.commit))
        return remembers(self.git, self.ours, base, tombstones)

    def _has_merges_alone(self) -> bool:
        """Whether theirs leads to all that commits of ours put together."""
        ours, theirs = self.ours.commit, self.theirs.commit
        if ours is None or theirs is None:
            return False
        own = self.git.ancestry(ours, theirs)
        return all(len(commit_parts(each.content).parents) > 1 for each in own)

    def _sent(
        self, sides: Sides[T], texts: Mapping[str, Content], course: _Course
    ) -> Oid | None:
        """Both histories in one, as it is for the remote."""
        leaving, records = _differing(texts, self.theirs), sides.records
        if not leaving and self._is_whole(sides, course):
            return self.theirs.commit
        arriving = _differing(texts, self.ours)
        changes: dict[str, Content] = dict.fromkeys(sides.found.own_strangers)
        changes |= {self.ours.path(each): texts[each] for each in arriving}
        changes |= {**records, FORMAT_FILE: redact_own(f"{self.ours.format}\n")}
        told = _message(self.ours, len(arriving), len(leaving))
        with self.git.batch() as batch:
            tree = batch.write_tree(self.ours.tree, changes)
            return batch.create_commit(tree, course.parents, told, self.by)

    def _is_whole(self, sides: Sides[T], course: _Course) -> bool:
        """Whether theirs has all that is to be there beside the texts, and no more."""
        is_last = course.is_ahead or course.parents == [self.theirs.commit]
        if not is_last or sides.found.strangers:
            return False
        marked = self.theirs.file(FORMAT_FILE)
        return (
            marked is not None
            and self.theirs.content(marked) == f"{self.ours.format}\n"
            and all(self.theirs.file(p) == file for p, file in sides.records.items())
        )

    def _held_back(
        self, sides: Sides[T], texts: Mapping[str, Content], course: _Course, sent: T
    ) -> Oid | None:
        """What is sent, with what does not go from here: one more commit, if any."""
        changes: dict[str, Content] = {
            self.ours.path(each): texts[each] for each in _differing(texts, sent)
        }
        if isinstance(self.ours, SessionTree):
            changes |= {path: self.ours.file(path) for path in sides.held}
        with self.git.batch() as batch:
            tree = batch.write_tree(sent.tree, changes)
            if tree == sent.tree:
                return sent.commit
            is_old = course.is_ahead and sent.commit == self.theirs.commit
            if is_old and tree == self.ours.tree:
                return self.ours.commit
            parents = [] if is_old else [sent.commit]
            if is_old or self.ours.commit not in (course.base, *course.parents):
                parents.insert(0, self.ours.commit)
            told = redact_own("hold back: what was forgotten elsewhere\n")
            oids = [each for each in parents if each]
            return batch.create_commit(tree, oids, told, self.by)


def _differing(texts: Mapping[str, Content], tree: DayTree) -> frozenset[str]:
    return frozenset(each for each in texts if texts[each] != tree.entry(each))


def _message(tree: DayTree, arriving: int, leaving: int) -> Redacted:
    from_where = {"there": arriving, "here": leaving}
    parts = [
        f"{counted(number, tree.noun)} from {where}"
        for where, number in from_where.items()
        if number
    ]
    return redact_own(f"merge: {', '.join(parts) or 'no other texts'}\n")
