"""What our ref becomes when the history of another clone is taken in.

Three-way by session: what one side alone changed since the two parted is as that side
has it. Nobody is asked. Texts are read only of sessions that both changed, and where
there are tombstones.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from gitmem.errors import Damaged
from gitmem.model.counting import counted
from gitmem.redaction.redact import Redacted, redact_own
from gitmem.store.exchange.settling import (
    Sides,
    settled_conversations,
    settled_documents,
    settled_tombstones,
)
from gitmem.store.exchange.strangers import Difference, Stranger, difference
from gitmem.store.git.repository import Repository
from gitmem.store.git.values import Content, Oid, TreeChanges
from gitmem.store.trees.committing import author
from gitmem.store.trees.conversations import ConversationTree
from gitmem.store.trees.day_tree import FORMAT_FILE, DayTree
from gitmem.store.trees.forgotten import with_history
from gitmem.store.trees.memory import Memory
from gitmem.store.trees.remembering import remembers

T = TypeVar("T", bound=DayTree)


@dataclass(frozen=True, slots=True)
class Taken:
    """A ref of ours with another history taken in; nothing leads to it yet."""

    ref: str
    ours: Oid | None
    """The tip that was built on."""
    theirs: Oid | None
    commit: Oid | None
    """`ours` where there is nothing new, `theirs` where that only goes on, else a new
    commit: after both, or after theirs alone, if any, where ours is given up or had
    nothing else."""
    arriving: frozenset[str]
    """Ids of sessions whose text differs from what was here."""
    leaving: frozenset[str]
    """Ids of sessions whose text differs from what was there."""
    strangers: tuple[Stranger, ...] = ()
    """The first ones."""
    more_strangers: int = 0
    """How many there are beside these."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A ref of ours as another clone has it."""

    ref: str
    """`refs/ocm/sessions` or `refs/ocm/conversations`."""
    commit: Oid | None
    """Where it is there; None where it is not, as far as we know."""
    followed: Oid | None
    """Where it was when we last heard of it."""


def taken_in(
    git: Repository, arrival: Arrival, when: datetime, memory: Oid | None = None
) -> Taken:
    """Our ref with what arrived taken in, by a commit of that time.

    Conversations of sessions that are forgotten in the commit `memory`, or else in our
    memory, are left out. Raises FormatTooNew where a newer gitmem wrote theirs, and
    Damaged where it cannot be read, or is something else.
    """
    ref, theirs = arrival.ref, arrival.commit
    here = Memory.at_tip(git)
    if theirs and not git.first_parents(theirs, 1):
        raise Damaged(f"What came for {ref} is no commit: {theirs}")
    if ref == Memory.ref:
        there = Memory(git, theirs)
        meeting = _Meeting(git, here, there, there, settled_documents)
        return meeting.taken(arrival.followed, when)
    after = Memory(git, memory) if memory else here
    said = ConversationTree.at_tip(git), ConversationTree(git, theirs)
    settle = partial(settled_conversations, memory=after)
    return _Meeting(git, *said, after, settle).taken(arrival.followed, when)


@dataclass(frozen=True, slots=True)
class _Course:
    """How two histories become one."""

    parents: list[Oid]
    base: Oid | None
    """Where they parted, if that says what each side changed."""


@dataclass(frozen=True, slots=True)
class _Meeting(Generic[T]):
    """Of two histories of one ref."""

    git: Repository
    ours: T
    theirs: T
    memory: Memory
    """The one that says what was forgotten there."""
    settle: Callable[[Sides[T]], Mapping[str, Content]]

    def taken(self, followed: Oid | None, when: datetime) -> Taken:
        found = difference(self.git, self.ours, self.theirs)
        self._refuse_others(found)
        course = self._course(followed)
        if course is None:
            return Taken(
                ref=self.ours.ref,
                ours=self.ours.commit,
                theirs=self.theirs.commit,
                commit=self.ours.commit,
                arriving=frozenset(),
                leaving=frozenset(found.texts),
            )
        base = type(self.ours)(self.git, course.base)
        return self._together(Sides(self.ours, self.theirs, base, found), course, when)

    def _refuse_others(self, found: Difference) -> None:
        """The branch of a project must not become a memory, and be pushed as one."""
        is_marked = self.theirs.file(FORMAT_FILE) is not None
        if self.theirs.commit and found.strangers and not is_marked:
            raise Damaged(
                f"What came for {self.ours.ref} was not written by gitmem.",
                hint="Does `ocm.remoteRef` name a branch of something else?",
            )

    def _course(self, followed: Oid | None) -> _Course | None:
        """None where theirs has nothing new."""
        ours, theirs = self.ours.commit, self.theirs.commit
        only_theirs = [theirs] if theirs else []
        if ours is None:
            return _Course(only_theirs, None) if theirs else None
        base = self.git.merge_base(ours, theirs) if theirs else None
        if base == ours:
            return _Course(only_theirs, ours)
        goes_on = followed is None or self._leads_to(followed, theirs)
        if self._is_given_up(base, goes_on=goes_on):
            return _Course(only_theirs, base if goes_on else None)
        if base == theirs:
            return None
        return _Course([ours, *only_theirs], base if goes_on else None)

    def _leads_to(self, commit: Oid, other: Oid | None) -> bool:
        if other is None or self.git.tree_of(commit) is None:
            return False
        return self.git.merge_base(commit, other) == commit

    def _is_given_up(self, base: Oid | None, *, goes_on: bool) -> bool:
        """Whether commits of ours lead to what is to be in no commit any more.

        Those that the remote once had do, if they were rewritten there. Ahead of a
        memory there are none: what it has forgotten is not saved again.
        """
        has_news = base != self.theirs.commit
        if self.memory is self.theirs and not has_news:
            return False
        if not (tombstones := with_history(self.memory)):
            return False
        is_rewritten = has_news and not goes_on
        return is_rewritten or remembers(self.git, self.ours, base, tombstones)

    def _together(self, sides: Sides[T], course: _Course, when: datetime) -> Taken:
        found, texts = sides.found, self.settle(sides)
        arriving, leaving = (
            frozenset(each for each in texts if texts[each] != side.entry(each))
            for side in (self.ours, self.theirs)
        )
        buried = settled_tombstones(sides)
        commit = self.theirs.commit
        if leaving or not self._is_whole(course, found, buried):
            changes: dict[str, Content] = dict.fromkeys(found.own_strangers)
            changes |= {self.ours.path(each): texts[each] for each in arriving}
            told = _message(self.ours, len(arriving), len(leaving))
            commit = self._commit({**changes, **buried}, course.parents, told, when)
        return Taken(
            ref=self.ours.ref,
            ours=self.ours.commit,
            theirs=self.theirs.commit,
            commit=commit,
            arriving=arriving,
            leaving=leaving,
            strangers=tuple(found.strangers),
            more_strangers=found.more_strangers,
        )

    def _is_whole(
        self, course: _Course, found: Difference, buried: TreeChanges
    ) -> bool:
        """Whether theirs has all that is to be there beside the texts, and no more."""
        if course.parents != [self.theirs.commit] or found.strangers:
            return False
        marked = self.theirs.file(FORMAT_FILE)
        return (
            marked is not None
            and self.theirs.content(marked) == f"{self.ours.format}\n"
            and all(self.theirs.file(path) == file for path, file in buried.items())
        )

    def _commit(
        self,
        changes: TreeChanges,
        parents: list[Oid],
        message: Redacted,
        when: datetime,
    ) -> Oid:
        by = author(self.git, when)
        with self.git.batch() as batch:
            changes = {**changes, FORMAT_FILE: self._format}
            tree = batch.write_tree(self.ours.tree, changes)
            return batch.create_commit(tree, parents, message, by)

    @property
    def _format(self) -> Redacted:
        return redact_own(f"{self.ours.format}\n")


def _message(tree: DayTree, arriving: int, leaving: int) -> Redacted:
    from_where = {"there": arriving, "here": leaving}
    parts = [
        f"{counted(number, tree.noun)} from {where}"
        for where, number in from_where.items()
        if number
    ]
    return redact_own(f"merge: {', '.join(parts) or 'no other texts'}\n")
