"""On what the merge of two histories is built: its parents, and where they parted."""

from typing import Self

from gitmem.frozen import frozen
from gitmem.git.odb.objects import commit_parts
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.document_tree import AnyTree
from gitmem.store.trees.reachability import remembers
from gitmem.store.trees.tombstones import with_history


@frozen
class Course:
    parents: list[Oid]
    """Of the commit in which two histories become one."""
    base: Oid | None
    """Where they parted, if that says what each side changed."""
    is_ahead: bool = False
    """Whether theirs has nothing new."""

    @classmethod
    def of(
        cls,
        git: Repository,
        ours: AnyTree,
        theirs: AnyTree,
        memory: AnyTree,
        followed: Oid | None,
    ) -> Self:
        """`memory` says what was forgotten there; `followed` is where theirs was."""
        here, there = ours.commit, theirs.commit
        only_theirs = [there] if there else []
        if here is None:
            return cls(only_theirs, None, is_ahead=there is None)
        base = git.merge_base(here, there) if there else None
        if base == here:
            return cls(only_theirs, here)
        parted = base if followed is None or _goes_on(git, followed, there) else None
        if _is_given_up(git, ours, theirs, memory, base):
            return cls(only_theirs, parted)
        if base == there:
            return cls([here], base, is_ahead=True)
        if there and _has_merges_alone(git, here, there):
            return cls(only_theirs, parted)
        return cls([here, *only_theirs], parted)


def _goes_on(git: Repository, followed: Oid, theirs: Oid | None) -> bool:
    """Whether theirs descends from `followed`."""
    if theirs is None or git.tree_of(followed) is None:
        return False
    return git.merge_base(followed, theirs) == followed


def _is_given_up(
    git: Repository, ours: AnyTree, theirs: AnyTree, memory: AnyTree, base: Oid | None
) -> bool:
    """Whether commits of ours have what was forgotten together with its history.

    Where theirs has nothing new, tombstones that ours has as well do not count: what
    they forget was not saved again.
    """
    has_news, tombstones = base != theirs.commit, with_history(memory)
    if memory is theirs and not has_news and tombstones:
        tombstones -= with_history(ours)
    return remembers(git, ours, base, tombstones)


def _has_merges_alone(git: Repository, ours: Oid, theirs: Oid) -> bool:
    """Whether all commits that only ours has are merges."""
    own = git.ancestry(ours, theirs)
    return all(len(commit_parts(each.content).parents) > 1 for each in own)
