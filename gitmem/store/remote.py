"""A remote repository, by way of the git command.

So credential helpers, ssh's configuration, proxies and `insteadOf` work as they do for
`git fetch` and `git push`, and nothing of the user's is touched: no FETCH_HEAD, no
tags, no refspec of theirs, no maintenance.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gitmem.store.repository import Oid, Repository

Told = Callable[[str], None]
"""Is given what git says of its progress, a line at a time."""


@dataclass(frozen=True, slots=True)
class Remote:
    name: str
    """Ours, for the tracking refs: that of git's remote, where it is one."""
    location: str
    """What git is given: the name of a remote, or a URL."""
    refs: Mapping[str, str]
    """Where each ref of ours is at the remote."""

    def tracking(self, ref: str) -> str:
        """`refs/ocm/remotes/<name>/sessions` for `refs/ocm/sessions`."""
        return f"refs/ocm/remotes/{self.name}/{ref.removeprefix('refs/ocm/')}"


@dataclass(frozen=True, slots=True)
class Line:
    """How a remote is talked to."""

    variables: Mapping[str, str]
    """The user's environment."""
    patience: float
    """Seconds that one command may take."""
    may_ask: bool
    """Whether there is a terminal at which git may ask for a password."""
    told: Told


def fetch(git: Repository, remote: Remote, line: Line) -> None:
    """Bring the tracking refs to where the refs are at the remote.

    What the remote does not have stays as it was. Raises Unreachable.
    """
    raise NotImplementedError


def push(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: Line
) -> bool:
    """Move refs at the remote forward to these commits, by the names of our refs.

    The tracking refs follow. False where somebody was faster: then fetch. Raises
    Unreachable where the remote does not answer, or refuses.
    """
    raise NotImplementedError


def replace(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, tuple[Oid, Oid]],
    line: Line,
) -> bool:
    """Put each ref at the remote to another history, (old, new), if it is still old."""
    raise NotImplementedError


def refs_at(
    git: Repository, location: str, names: list[str], line: Line
) -> Mapping[str, Oid]:
    """Where refs are at a remote, by their names there; as `git ls-remote`."""
    raise NotImplementedError
