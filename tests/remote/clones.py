"""Clones of one remote, and what people and assistants do in them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from support import clones as syncing
from support.harness import NOON, git, record
from support.workspaces import workspace_at

from gitmem.actions.forgetting import forget as forget_sessions
from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.session import Session
from gitmem.git.values import Content, Signature
from gitmem.redaction.redact import redact
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.trees.document_tree import AnyTree, tree_at_tip
from gitmem.store.trees.session_tree import REF, SessionTree
from gitmem.workspace import Workspace

SESSIONS, CONVERSATIONS = REF, "refs/ocm/conversations"


def forget(
    workspace: Workspace, sessions: list[Session], *, from_history: bool
) -> None:
    transport = TransportOptions(60.0) if from_history else None
    forget_sessions(workspace, sessions, transport)


def make_clones(place: Path, count: int, *, said: bool) -> "list[Clone]":
    """So many clones of one bare remote, each of somebody else."""
    folders = [each.folder for each in syncing.make_clones(place, count, said=said)]
    for number, folder in enumerate(folders[1:], 1):
        git(folder, "config", "user.name", f"Person {number}")
    return [Clone(each) for each in folders]


@dataclass
class Clone(syncing.Clone):
    """Of which it is known what time it has there."""

    skew: timedelta = timedelta()
    """How far its clock is from that of the others."""
    minutes: int = 0
    """How many have passed since noon."""
    before: dict[str, bytes] = field(default_factory=dict)
    """What is the user's own in it, as it was."""

    def __post_init__(self) -> None:
        self.before = self.of_the_user()

    @property
    def now(self) -> datetime:
        return NOON + timedelta(minutes=self.minutes) + self.skew

    def any_session(self, number: int) -> Session | None:
        """One of those that are there, for any number."""
        memory = self.memory()
        ids = sorted(memory.ids())
        return memory.document(ids[number % len(ids)]) if ids else None

    def sessions_of(self, client: str) -> list[Session]:
        return [s for s in self.memory().newest() if s.client_session_id == client]

    def texts(self) -> tuple[str, str]:
        """All documents, and all that was said."""
        repository = self.workspace().repository
        said = tree_at_tip(CONVERSATION, repository)
        return _all_of(self.memory()), _all_of(said)

    def trees(self) -> Mapping[str, str | None]:
        """The tree of each of our refs; None for one that is not there."""
        return trees_in(self.folder)

    def of_the_user(self) -> dict[str, bytes]:
        """Every file in which git keeps what is not ours, and the work tree."""
        beside = (".git", ".openCodeMemory")
        return of_the_user(self.git_dir) | _contents(self.folder, beside)

    def checkpoint(self, client: str, **said: Any) -> None:
        """Acknowledged when this returns, but in no commit yet."""
        self.workspace().store.append(record(client, at=self.now, **said))

    def put(self, path: str, content: Content, base: SessionTree | None = None) -> bool:
        """A person's own commit on our ref. False where somebody else was faster."""
        repository = self.workspace().repository
        memory = base or self.memory()
        by = Signature("Ada", "ada@example.com", self.now)
        tree = repository.write_tree(memory.tree, {path: content})
        parents = [memory.commit] if memory.commit else []
        commit = repository.create_commit(tree, parents, redact("by hand"), by)
        return repository.update_ref(REF, memory.commit, commit, "by hand")


def trees_in(folder: Path) -> Mapping[str, str | None]:
    repository = workspace_at(folder).repository
    tips = {ref: repository.resolve_ref(ref) for ref in (SESSIONS, CONVERSATIONS)}
    return {ref: repository.tree_of(tip) if tip else None for ref, tip in tips.items()}


def of_the_user(git_dir: Path) -> dict[str, bytes]:
    """What git keeps in a repository, but for our refs, our files and objects."""
    ours = ("ocm", "ocm-index", "refs/ocm", "logs/refs/ocm")
    found = _contents(git_dir, (*ours, "objects", "hooks", "info"))
    packed = found.pop("packed-refs", b"").splitlines()  # git may write an empty one
    theirs = [each for each in packed if b"refs/" in each and b"refs/ocm" not in each]
    return found | {"packed-refs": b"\n".join(theirs)}


def _all_of(texts: AnyTree) -> str:
    return "".join(filter(None, map(texts.text, texts.ids())))


def _contents(folder: Path, passed_over: tuple[str, ...]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for at, folders, names in os.walk(folder):
        here = Path(at).relative_to(folder)
        folders[:] = [n for n in folders if str(here / n) not in passed_over]
        found |= {str(here / name): Path(at, name).read_bytes() for name in names}
    return found
