"""Earlier states of the memory: in its history, in backups, and by its reflog."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from gitmem.errors import Damaged
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.backups import backups_of
from gitmem.store.trees.session_tree import REF, SessionTree

_MOST_MOVES = 1000
"""Of the reflog are looked at."""
_MOST_APART = 5
"""States of the reflog are given that do not lead to the tip."""


class Source(StrEnum):
    """Where a version is known from."""

    HISTORY = "history"
    BACKUP = "backup"
    REFLOG = "reflog"
    OBJECTS = "objects"  # that nothing leads to, until git prunes them
    JOURNAL = "journal"


class State(NamedTuple):
    commit: Oid
    source: Source


def earlier_states(git: Repository) -> list[State]:
    """The tip, backups, and where the ref was as far as that is here."""
    tip = git.resolve_ref(REF)
    backups = filter(None, map(git.resolve_ref, backups_of(git, REF)))
    moves = git.reflog(REF)[: -_MOST_MOVES - 1 : -1]
    return [
        *([State(tip, Source.HISTORY)] if tip else []),
        *(State(each, Source.BACKUP) for each in backups),
        *(State(each, Source.REFLOG) for each in moves if git.tree_of(each)),
    ]


def apart(
    git: Repository, memory: SessionTree, states: Iterable[State]
) -> Iterator[State]:
    """Of these states the backups, and the newest ones that no commit goes on from.

    Those of the reflog are where the ref was before it was set back or rewritten.
    """
    left = _MOST_APART
    for state in states:
        if state.source is Source.BACKUP:
            yield state
        elif left and not _leads_to(git, state.commit, memory.commit):
            left -= 1
            yield state


def last_before(
    git: Repository, state: State, moment: datetime, variables: Mapping[str, str]
) -> State | None:
    """The newest state before a moment among its first parents, and itself.

    By the times that commits tell. `variables` are the environment of the user. Raises
    Damaged where a commit is not there, and Unavailable without git.
    """
    limit = ["-1", "--first-parent", f"--min-age={int(moment.timestamp()) - 1}"]
    command = ["rev-list", *limit, state.commit, "--"]
    try:
        with output_of_git(git.git_dir, git.work_tree, command, variables) as lines:
            found = lines.read().decode().strip()
    except RefusedError as error:
        raise Damaged(f"Git cannot walk from {state.commit}: {error}") from error
    return State(found, state.source) if found else None


def _leads_to(git: Repository, commit: Oid, tip: Oid | None) -> bool:
    return tip is not None and git.merge_base(commit, tip) == commit
