"""The composition root: a repository, its memory, its index, and the clock."""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from gitmem.config import Environment, current_environment, current_time, local_time
from gitmem.documents.kind import ChangedKind, Kind
from gitmem.documents.kinds import CONVERSATION
from gitmem.errors import Busy, GitmemError, NoPermission, Unverified
from gitmem.frozen import frozen
from gitmem.git.config import is_on
from gitmem.git.files import make_folder
from gitmem.git.layout import FOLDER, MOVE_AWAY, own_dir, work_trees_of
from gitmem.git.opening import open_repository, open_through_git
from gitmem.git.redaction_settings import user_rules
from gitmem.git.repository import Repository, project_name
from gitmem.redaction.redact import follow
from gitmem.store.document_store import ChangeStore, DocumentStore
from gitmem.store.file_notes import FileNotes
from gitmem.store.forgetting.traces import Traces
from gitmem.store.lock import PATIENCE, locked
from gitmem.store.readable_copies import (
    copies_of,
    exclude_copies,
    is_of_predecessor,
    write_copy,
)
from gitmem.store.registry import registrations
from gitmem.store.remote.remote import Choice, Remote, choice, remote_of
from gitmem.store.remote.tracking import Tracked
from gitmem.store.session_store import SessionStore
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.document_tree import DocumentTree, tree_at_tip
from gitmem.store.trees.session_tree import SessionTree
from gitmem.store.trees.tree_changes import Searched

if TYPE_CHECKING:
    from gitmem.redaction.user_rules import Setting
    from gitmem.search.index import Index

C = TypeVar("C")
D = TypeVar("D")
_READERS_PATIENCE = 1.0
"""Seconds; whoever only reads does without what others are about to commit."""


@frozen
class Workspace:
    """What an action works on."""

    environment: Environment
    repository: Repository
    store: SessionStore
    _stores: dict[str, ChangeStore[Any, Any]] = field(default_factory=dict)
    """Stores of the other kinds, which reuse what they read."""

    @property
    def root(self) -> Path:
        """The work tree, or the repository itself where there is none."""
        return self.repository.work_tree or self.repository.git_dir

    @property
    def project(self) -> str:
        """The project's name: that of the remote repository, else of the folder.

        All linked work trees of a repository belong to the same project.
        """
        return project_name(self.repository)

    def now(self) -> datetime:
        """The time in the user's zone, in whole seconds."""
        return current_time()

    def local(self, moment: datetime) -> datetime:
        """A time in the user's zone; one without a zone was told by a clock here."""
        return local_time(moment)

    def current_sessions(self, *, with_observed: bool = True) -> SessionTree:
        """The sessions at their tip, as `current`, with what hooks saw."""
        self.replay(self.store, with_observed=with_observed)
        self.take_in_fetched()
        return self.store.memory()

    def current(self, kind: Kind[D]) -> DocumentTree[D]:
        """The documents at their tip, with all that was acknowledged.

        And with what `git fetch` brought from where memory is shared. Where the file
        system or other writers do not let us in, reading goes on, and what is pending
        stays in the journal.
        """
        store = self.documents_of(kind)
        self.replay(store)
        self.take_in_fetched()
        return store.memory()

    def replay(self, store: DocumentStore[Any], *, with_observed: bool = True) -> None:
        """Commit what is acknowledged, where we are let in; else it stays pending."""
        with suppress(NoPermission, Busy):
            store.replay(_READERS_PATIENCE, with_observed=with_observed)

    def take_in_fetched(self) -> None:
        """Take in what a plain `git fetch` brought, and take away what it forgot."""
        with suppress(GitmemError, OSError):  # a sync says what is wrong with it
            if chosen := self.chosen:
                tracked = self.tracked(remote_of(self.repository, chosen))
                if tracked.has_news():
                    tracked.land(tracked.taken(), _READERS_PATIENCE)
        with suppress(GitmemError, OSError):  # it is done again
            self.drop_traces(_READERS_PATIENCE)

    def drop_traces(
        self, patience: float = PATIENCE, *, from_history: bool = False
    ) -> None:
        """Take away what there is of forgotten sessions beside their documents.

        The index begins anew, as one that only learns what is different keeps words in
        its files. Nothing is looked for while there are no new tombstones. Raises Busy,
        NoPermission, Damaged and OSError.
        """
        if from_history or self.traces().are_left():
            with locked(self.store.lock, patience):
                self.recreate_index(patience)
                self.traces().take_away(from_history=from_history)

    def traces(self) -> Traces:
        return Traces(
            git=self.repository,
            memory=self.store.memory(),
            journal=self.store.journal,
            copies=self.copy_folders(),
            when=self.now(),
        )

    def tracked(self, remote: Remote) -> Tracked:
        """Raises Unverified where `ocm.requireSigned` is set."""
        git = self.repository
        if is_on(git, "ocm.requireSigned"):
            raise Unverified(
                "ocm.requireSigned is set, but gitmem verifies no signatures.",
                hint="`git config --unset ocm.requireSigned` lets it exchange any.",
            )
        return Tracked(git, remote, self.store.lock, self.now())

    def user_rules(self) -> tuple["Setting", ...]:
        """How the user wants text redacted here. Raises Unavailable."""
        variables = self.environment.variables
        return user_rules(self.repository.common_dir, variables)

    @property
    def chosen(self) -> Choice | None:
        """Where memory is shared; None where it is not."""
        return choice(self.repository)

    @property
    def conversations(self) -> ConversationTree:
        """Raises Damaged and FormatTooNew."""
        return tree_at_tip(CONVERSATION, self.repository)

    def store_of(self, kind: ChangedKind[D, C]) -> ChangeStore[D, C]:
        """The documents of another kind than sessions."""
        if kind.name not in self._stores:
            self._stores[kind.name] = ChangeStore(self.repository, kind)
        return self._stores[kind.name]

    def documents_of(self, kind: Kind[D]) -> DocumentStore[D]:
        """The documents of any kind that has a journal."""
        is_session = kind.name == self.store.kind.name
        store: Any = self.store if is_session else self.store_of(cast("Any", kind))
        return cast("DocumentStore[D]", store)

    def searched(self) -> Searched:
        """All that the index is to know, as it is now."""
        return Searched.now(self.repository, self.store.memory())

    @property
    def own_dir(self) -> Path:
        """What is ours in the repository, beside git's files and in no commit."""
        return own_dir(self.repository.common_dir)

    @property
    def index_folder(self) -> Path:
        """In the repository, or where nothing can be written there with the user."""
        common = self.repository.common_dir
        place = common if os.access(common, os.W_OK) else self._cache
        return place / "ocm-index"

    @property
    def index_lock(self) -> Path:
        return own_dir(self.index_folder.parent) / "index.lock"

    @property
    def _cache(self) -> Path:
        name = hashlib.sha256(os.fsencode(self.repository.common_dir)).hexdigest()
        return self.environment.home / "indexes" / name[:16]

    @property
    def sync_lock(self) -> Path:
        """Of whoever exchanges memory with a remote, one at a time."""
        return self.own_dir / "sync.lock"

    def open_index(self) -> "Index":
        from gitmem.search.index import Index  # takes its time, and not all search

        folder, original = self.index_folder, self.repository.common_dir / "ocm-index"
        if folder != original and not folder.exists():
            with suppress(OSError):  # then it is built
                make_folder(folder)
                for file in original.iterdir():  # without modes that forbid writing
                    shutil.copyfile(file, folder / file.name, follow_symlinks=False)
        return Index.open(folder, self.index_lock)

    def recreate_index(self, patience: float = PATIENCE) -> None:
        """Empty the index and the notes for files. Raises NoPermission and Busy."""
        FileNotes(self.own_dir).clear()
        shutil.rmtree(self._cache, ignore_errors=True)
        if self.index_folder.exists():
            from gitmem.search.index import Index

            Index.recreate(self.index_folder, self.index_lock, patience)

    def copy(
        self, session_id: str, document: str, *, is_here: bool = True
    ) -> Path | None:
        """Write the readable copy where an assistant may read, and give its path.

        One that works in another repository reads it in the user's own folder: neither
        repository is written to. None when the file system takes it nowhere.
        """
        folders = [self.environment.home / "sessions"]
        if is_here:
            folders.insert(0, self.own_dir / "sessions")
            work_tree = self.repository.work_tree
            name = f"{FOLDER}/sessions/{session_id}.md"
            is_ours = work_tree and not is_of_predecessor(work_tree / name)
            if work_tree and is_ours and not self.repository.tracks(name):
                exclude_copies(self.repository.common_dir)
                folders.insert(0, copies_of(work_tree))
        variables = self.environment.variables
        return write_copy(folders, session_id, document, self.repository, variables)

    def copy_folders(self) -> Iterator[Path]:
        """Folders with copies, also for assistants that work elsewhere."""
        home, common = self.environment.home, self.repository.common_dir
        registered = registrations(home)
        work_trees = {
            self.root,
            *work_trees_of(common),
            *(Path(o.root) for o in registered),
        }
        yield from map(copies_of, work_trees)
        commons = {common, *(Path(registration.git_dir) for registration in registered)}
        yield from (own_dir(common_dir) / "sessions" for common_dir in commons)
        yield home / "sessions"


def current_workspace() -> Workspace:
    """The workspace around where this process was started; raises as open_workspace."""
    return open_workspace(current_environment())


def open_workspace(environment: Environment, *, through_git: bool = False) -> Workspace:
    """The workspace around the repository that the environment leads to.

    The rules that its user has for secrets are followed from then on. `through_git` is
    for a few questions: libgit2 takes longer to load. Raises NotARepository where there
    is none, NoPermission where our folder in it is a link, and Unavailable where the
    rules cannot be read.
    """
    start, variables = environment.start, environment.variables
    open_at = open_through_git if through_git else open_repository
    repository = open_at(start, variables, environment.git_dir)
    workspace = _workspace(environment, repository)
    follow(workspace.user_rules())
    return workspace


def open_other(environment: Environment, root: Path) -> Workspace:
    """The workspace of another repository, for searching everywhere.

    Whoever has anything written there follows its user's rules meanwhile.
    """
    return _workspace(environment, open_repository(root, environment.variables))


def _workspace(environment: Environment, repository: Repository) -> Workspace:
    ours = own_dir(repository.common_dir)
    if ours.is_symlink() and ours.is_dir():
        raise NoPermission(
            f"{ours} is a symbolic link, and nothing is written behind one.",
            hint=MOVE_AWAY,
        )
    return Workspace(environment, repository, SessionStore(repository))
