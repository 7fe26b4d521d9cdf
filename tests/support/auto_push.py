"""Two clones of one remote that share their memory, for tests of what rides along."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support.clones import shared
from support.harness import copied, git, make_repository
from support.workspaces import saved_id, workspace_at

from gitmem.actions.sharing.sync import sync
from gitmem.actions.sharing.sync_steps import SyncOptions
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

PATIENCE = 30.0  # seconds, for a machine that is busy


@dataclass(frozen=True, slots=True)
class Pair:
    here: Path
    there: Path
    remote: Path

    @property
    def workspace(self) -> Workspace:
        return workspace_at(self.here)

    @property
    def ours(self) -> Path:
        return self.here / ".git" / "ocm"

    def set(self, **settings: str | None) -> None:
        """Settings of the clone that is here; None removes one."""
        for name, value in settings.items():
            given = [f"ocm.{name}", value] if value else ["--unset", f"ocm.{name}"]
            git(self.here, "config", *given)

    def at_remote(self, ref: str = REF) -> str:
        return git(self.remote, "for-each-ref", "--format=%(objectname)", ref)

    def tip(self) -> str:
        return git(self.here, "rev-parse", REF)


def make_pair(folder: Path) -> Pair:
    """The remote has no memory yet."""
    copied(folder, _make_pair)
    return Pair(folder / "here", folder / "there", folder / "remote.git")


def _make_pair(folder: Path) -> None:
    here = make_repository(folder / "here")
    remote = folder / "remote.git"
    git(folder, "clone", "--quiet", "--bare", str(here), str(remote))
    git(here, "remote", "add", "origin", str(remote))
    git(here, "fetch", "--quiet", "origin")
    git(folder, "clone", "--quiet", str(remote), "there")
    for each in (here, folder / "there"):
        git(each, "config", "ocm.remote", "origin")


def sent_from(folder: Path, goal: str = "Stop the leak") -> str:
    """Have a session saved there and sent; gives its id."""
    workspace = workspace_at(folder)
    session_id = saved_id(workspace, goal=goal)
    sync(*shared(workspace), SyncOptions(), TransportOptions(PATIENCE))
    return session_id


def soon(is_so: Callable[[], object]) -> bool:
    """Whether it becomes so before patience ends."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
