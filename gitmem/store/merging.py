"""What our ref becomes when the history of another clone is taken in."""

from dataclasses import dataclass
from datetime import datetime

from gitmem.store.repository import Oid, Repository


@dataclass(frozen=True, slots=True)
class Stranger:
    """Something in a pulled tree that no gitmem puts there; it is not taken over."""

    path: str
    what: str
    """Such as `a symbolic link`, `a submodule`, `20 MB and more`."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A ref of ours with another history taken in; nothing leads to it yet."""

    ref: str
    ours: Oid | None
    """The tip that was built on."""
    theirs: Oid | None
    commit: Oid | None
    """`ours` where there is nothing new, `theirs` where that only goes on, else a new
    commit with both as parents."""
    arriving: frozenset[str]
    """Ids of sessions whose text differs from what was here."""
    leaving: frozenset[str]
    """Ids of sessions whose text differs from what was there."""
    strangers: tuple[Stranger, ...] = ()


def taken_in(
    git: Repository,
    ref: str,
    theirs: Oid | None,
    followed: Oid | None,
    when: datetime,
) -> Taken:
    """Our ref, `refs/ocm/sessions` or `refs/ocm/conversations`, with `theirs` taken in.

    `followed` is where their ref was when we last heard of it. Raises FormatTooNew
    where a newer gitmem wrote it, Damaged where it cannot be read.
    """
    raise NotImplementedError
