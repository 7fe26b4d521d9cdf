"""A fresh clone: whether the remote has a memory that one could take part in."""

from contextlib import suppress
from dataclasses import dataclass

from gitmem.actions.sharing.share import Wanted, proposal
from gitmem.errors import GitmemError
from gitmem.store.memory import REF
from gitmem.store.remote import Line, refs_at
from gitmem.workspace import Workspace

OFFER_SETTING = "ocm.shareOffer"
"""`false` where the user was asked, and said no."""
PATIENCE = 5.0
"""Seconds to wait for the remote."""
_BRANCH = "refs/heads/ocm/sessions"
"""Where memory is at hosts that take nothing but branches."""


@dataclass(frozen=True, slots=True)
class MemoryThere:
    remote: str
    ref: str

    @property
    def wanted(self) -> Wanted:
        """What takes part in it."""
        return Wanted(self.remote, ref=None if self.ref == REF else self.ref)


def memory_there(workspace: Workspace) -> MemoryThere | None:
    """The memory at the remote that would be meant, where nothing was decided yet.

    None where there is none, and where the remote does not answer at once: it is an
    offer, and nobody asked for it.
    """
    if workspace.chosen or workspace.repository.config(OFFER_SETTING) is not None:
        return None
    with suppress(GitmemError):
        return _at_remote(workspace)
    return None


def decline(workspace: Workspace) -> None:
    """The user said no: they are not asked again."""
    workspace.repository.set_config(OFFER_SETTING, "false")


def _at_remote(workspace: Workspace) -> MemoryThere | None:
    remote = proposal(workspace, Wanted()).sharing.remote
    names = [remote.refs[REF], _BRANCH]
    line = Line(workspace.environment.variables, PATIENCE, False, _unheard)
    there = refs_at(workspace.repository, remote.location, names, line)
    ref = next((name for name in names if name in there), None)
    return MemoryThere(remote.name, ref) if ref else None


def _unheard(_: str) -> None:
    pass
