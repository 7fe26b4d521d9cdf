"""A fresh clone: whether the remote has a memory that one could take part in."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gitmem.actions.sharing.share import Wanted, proposal
from gitmem.errors import GitmemError
from gitmem.git.files import make_folder, replace_file
from gitmem.store.remote.git_transport import refs_at
from gitmem.store.remote.remote import BRANCH, Line
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

PATIENCE = 5.0
"""Seconds to wait for the remote."""


@dataclass(frozen=True, slots=True)
class MemoryThere:
    remote: str
    ref: str

    @property
    def wanted(self) -> Wanted:
        """What takes part in it."""
        return Wanted(self.remote, ref=None if self.ref == REF else self.ref)


def memory_there(workspace: Workspace) -> MemoryThere | None:
    """The memory at the remote that would be meant, were none named.

    None where there is none, and where the remote does not answer at once: it is for
    an offer that nobody asked for.
    """
    with suppress(GitmemError):
        return _at_remote(workspace)
    return None


def is_undecided(workspace: Workspace) -> bool:
    """Whether nobody said yet that memory is shared, or that it is not."""
    return workspace.chosen is None and not _declined(workspace).exists()


def decline(workspace: Workspace) -> None:
    """The user said no: they are not asked again. Raises OSError."""
    file = _declined(workspace)
    make_folder(file.parent)
    replace_file(file, b"")


def _declined(workspace: Workspace) -> Path:
    return workspace.own_dir / "share-declined"


def _at_remote(workspace: Workspace) -> MemoryThere | None:
    remote = proposal(workspace, Wanted()).sharing.remote
    names = [remote.refs[REF], BRANCH]
    line = Line(workspace.environment.variables, PATIENCE)
    there = refs_at(workspace.repository, remote.location, names, line)
    ref = next((name for name in names if name in there), None)
    return MemoryThere(remote.name, ref) if ref else None
