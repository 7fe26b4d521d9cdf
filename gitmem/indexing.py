"""Bring the index up to the memory, ask it, and rebuild it."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from gitmem import processes
from gitmem.documents.changes import Changes
from gitmem.documents.kinds import refs
from gitmem.errors import Busy, Damaged
from gitmem.git.values import Oid
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.search.index import Index

T = TypeVar("T")

MOST_INDEXED_AT_ONCE = 2000
"""Documents that the index learns while somebody waits: some seconds."""
_PATIENCE = 3.0
"""Seconds that the first question waits for the newest sessions of a large memory."""

_CHECKED_EVERY = 50
"""Documents between two checks whether newer ones were saved meanwhile."""


def ask_index(
    workspace: Workspace,
    question: Callable[["Index"], T],
    progress: Progress | None = None,
) -> T:
    """Return the index's answer, after it learned what the memory has.

    If that is much, another process does it, and the answer comes from the newest
    sessions; `extent` of the index says so. The journal is not replayed: callers do so
    where it matters. `progress` is called with (done, total) after a second. A damaged
    index is rebuilt and asked again.
    """
    try:
        return question(_index(workspace, progress))
    except Damaged:
        return question(_index(workspace, progress))


def caught_up_index(workspace: Workspace, progress: Progress | None = None) -> "Index":
    """Return the index with all that the memory has, however long that takes.

    If another process is building it, some may be `left`.
    """
    index, state = workspace.open_index(), _State(workspace)
    if not state.is_known_to(index):
        index.unlearned = index.unlearned or state.changes(index.tip).total
        _catch_up(workspace, index, state, progress)
    return index


def build_index(workspace: Workspace) -> None:
    """Build the index in the background, with what is saved meanwhile.

    Do nothing if another process is building it. Raises UnusableError.
    """
    from gitmem.search.folder import LockedError

    index = workspace.open_index()
    with suppress(LockedError):
        while index.is_on_disk and not (state := _State(workspace)).is_known_to(index):
            index.build(state.tip, state.changes_while_it_lasts)


def _index(workspace: Workspace, progress: Progress | None) -> "Index":
    index = workspace.open_index()
    if index.tip is None and index.is_being_written():
        index = _begun(workspace, index)
    state = _State(workspace)
    if state.is_known_to(index) or (index.unlearned and index.is_being_written()):
        return index
    index.unlearned = index.unlearned or state.changes(index.tip).total
    if index.unlearned <= MOST_INDEXED_AT_ONCE or not _is_built(workspace, index):
        _catch_up(workspace, index, state, progress)
    elif index.tip is None:
        return _begun(workspace, index)
    return index


def _begun(workspace: Workspace, index: "Index") -> "Index":
    """Wait up to _PATIENCE for the newest sessions; return the index as it is then."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        time.sleep(0.05)
        if (begun := workspace.open_index()).tip is not None:
            return begun
    return index


def _catch_up(
    workspace: Workspace,
    index: "Index",
    state: "_State",
    progress: Progress | None,
) -> None:
    """Index what is new; again if something was forgotten meanwhile.

    Otherwise the index could keep a forgotten document that was read before.
    """
    index.catch_up(state.tip, state.changes, progress)
    if (later := _State(workspace)).tombstones != state.tombstones:
        _catch_up(workspace, index, later, progress)


def _is_built(workspace: Workspace, index: "Index") -> bool:
    """Return whether another process builds the index; start one if none does."""
    if index.is_being_written():
        return True
    common_dir = workspace.repository.common_dir
    with suppress(OSError):
        if index.is_on_disk:
            processes.start_task(common_dir, "index")
            return True
    return False


class _State:
    """Refs, tip and tombstones at one moment; the index is checked against them."""

    def __init__(self, workspace: Workspace) -> None:
        self._git = workspace.repository
        self._refs = self._tips()
        self._searched = workspace.searched()
        self.tip = self._searched.state
        self.tombstones = self._searched.tombstones

    def is_known_to(self, index: "Index") -> bool:
        return (index.tip or "") == self.tip

    def changes(self, since: str | None) -> Changes:
        return self._searched.changes(since)

    def changes_while_it_lasts(self, since: str | None) -> Changes:
        """Stop when something newer is saved: the newest is indexed first."""
        changes = self.changes(since)
        still = takewhile(
            lambda pair: pair[0] % _CHECKED_EVERY or self._tips() == self._refs,
            enumerate(changes.documents),
        )
        return replace(changes, documents=(document for _, document in still))

    def _tips(self) -> list[Oid | None]:
        return [*map(self._git.resolve_ref, refs())]


def rebuild_index(workspace: Workspace, progress: Progress | None = None) -> int:
    """Drop the index, build it from the tip and return its number of sessions.

    Raises NoPermission and Busy as Index.recreate does.
    """
    from gitmem.search.index import Index

    Index.recreate(workspace.index_folder, workspace.index_lock)
    memory = workspace.current_sessions()
    if extent := caught_up_index(workspace, progress).extent:
        raise Busy(f"Another process is building the index: {extent} so far.")
    return sum(1 for _ in memory.ids())
