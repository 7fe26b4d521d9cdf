"""Clones of one bare remote that share their memory with it."""

import shutil
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

from support.harness import NOON, copied, git, make_repository, record
from support.workspaces import workspace_at

from gitmem.actions.sharing import review_held
from gitmem.actions.sharing.share_settings import Sharing, sharing
from gitmem.actions.sharing.sync import sync
from gitmem.actions.sharing.sync_report import SyncReport
from gitmem.actions.sharing.sync_steps import SyncOptions
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.event import Trigger
from gitmem.documents.session.session import Session
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.session_store import prepared
from gitmem.store.trees.session_tree import SessionTree
from gitmem.workspace import Workspace


class Way(Enum):
    """What `ocm sync`, `ocm push` and `ocm pull` do, and `ocm sync --dry-run`."""

    SYNC = SyncOptions()
    PUSH = SyncOptions(pulls=False)
    PULL = SyncOptions(pushes=False)
    PLAN = SyncOptions(is_dry=True)


@dataclass
class Clone:
    folder: Path

    @property
    def git_dir(self) -> Path:
        return self.folder / ".git"

    @property
    def now(self) -> datetime:
        return NOON

    def workspace(self) -> Workspace:
        """As a process that begins has it."""
        return workspace_at(self.folder)

    def memory(self) -> SessionTree:
        return self.workspace().store.memory()

    def goals(self) -> set[str]:
        """Of the sessions that a reader finds."""
        return {s.goal for s in self.workspace().current_sessions().newest()}

    def withheld(self) -> list[review_held.Withheld]:
        """What others forgot or replaced, and is still here."""
        return review_held.withheld(*shared(self.workspace()))

    def accept(self, *names: str) -> list[str]:
        """Accept what is held back, all of it where no names are given."""
        return review_held.accept(*shared(self.workspace()), names or [review_held.ALL])

    def refuse(self, *names: str) -> list[str]:
        return review_held.refuse(*shared(self.workspace()), names or [review_held.ALL])

    def save(self, client: str, goal: str) -> None:
        """In no commit yet when this returns."""
        self.workspace().store.append(record(client, goal=goal))

    def import_conversations(self, client: str, prompt: str) -> Session | None:
        """A session, and what was said in it."""
        given: dict[str, Any] = {"prompts": (prompt,), "goal": prompt}
        made = record(client, at=self.now, trigger=Trigger.IMPORT, **given)
        said = Turn(Speaker.PERSON, prompt), Turn(Speaker.ASSISTANT, f"Did {prompt}.")
        store = self.workspace().store
        store.replay()
        [imported] = store.import_conversations([prepared(made, self.now, said)])
        return imported.after


def make_clones(place: Path, count: int, *, said: bool = False) -> list[Clone]:
    copied(place, _make_clones, count, said)
    return [Clone(place / str(number)) for number in range(count)]


def _make_clones(place: Path, count: int, said: bool) -> None:
    first = make_repository(place / "0")
    git(place, "clone", "--quiet", "--bare", str(first), str(remote_in(place)))
    git(first, "remote", "add", "origin", str(remote_in(place)))
    git(first, "config", "ocm.remote", "origin")
    git(first, "config", "ocm.shareConversations", str(said).lower())
    for number in range(1, count):
        shutil.copytree(first, place / str(number), symlinks=True)


def remote_in(place: Path) -> Path:
    return place / "remote.git"


def shared(workspace: Workspace) -> tuple[Workspace, Sharing]:
    """A workspace that shares its memory, and how it does."""
    chosen = sharing(workspace)
    assert chosen
    return workspace, chosen


def travel(workspace: Workspace, way: Way = Way.SYNC) -> SyncReport:
    return sync(*shared(workspace), way.value, TransportOptions(60.0))


def documents(memory: SessionTree) -> dict[str, str | None]:
    return {each: memory.text(each) for each in memory.ids()}
