"""The remote that memory is shared with, and the line to it, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from gitmem.git.layout import OUR_REFS
from gitmem.store.remote.watched_git import unheard

Notify = Callable[[str], None]
"""Is given what git says of its progress, a line at a time."""

TRACKING = f"{OUR_REFS}remotes/"
"""Below it are the tracking refs, of each remote in a folder with its name."""
INBOX = f"{OUR_REFS}inbox/"


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
        return f"{TRACKING}{self.name}/{ref.removeprefix(OUR_REFS)}"

    def inbox(self, ref: str) -> str | None:
        """Below it are the refs there of what lost the race for a ref of ours.

        None where the host takes branches alone.
        """
        kind = ref.removeprefix(OUR_REFS)
        return f"{INBOX}{kind}/" if self.refs[ref].startswith(OUR_REFS) else None

    def tracked_inbox(self, ref: str) -> str:
        """Below it are the tracking refs of those."""
        return f"{TRACKING}{self.name}/inbox/{ref.removeprefix(OUR_REFS)}/"

    @property
    def inboxes(self) -> list[str]:
        """Refspecs that bring what waits there."""
        found = {ref: self.inbox(ref) for ref in self.refs}
        return [f"+{at}*:{self.tracked_inbox(ref)}*" for ref, at in found.items() if at]


@dataclass(frozen=True, slots=True)
class Line:
    """How a remote is talked to."""

    variables: Mapping[str, str]
    """The user's environment."""
    patience: float
    """Seconds that one command may take, unless it may ask."""
    may_ask: bool = False
    """Whether a person is at a terminal: git may ask there for a password, and takes
    the time that it takes, as the person can end it."""
    told: Notify = unheard
