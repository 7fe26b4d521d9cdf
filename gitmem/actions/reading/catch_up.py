"""Bringing the index to where the memory is, asking it, and making it anew."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, TypeVar

from gitmem.actions import detached
from gitmem.documents.changes import Changes
from gitmem.documents.kinds import refs
from gitmem.errors import Busy, Damaged
from gitmem.git.values import Oid
from gitmem.text.counting import Progress
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from gitmem.search.index import Index

T = TypeVar("T")

_PATIENCE = 3.0
"""Seconds that whoever asks first waits for the newest sessions of a large memory."""

_LOOKED_EVERY = 50
"""Documents between two looks at whether others are saved meanwhile."""


def ask_index(
    workspace: Workspace,
    question: Callable[["Index"], T],
    progress: Progress | None = None,
) -> T:
    """What the index answers, after it has learned what the memory has.

    Where that is much another process sees to it, and the answer is from what the
    index has by now, the newest sessions; its `extent` says so. What is pending is not
    replayed: whoever asks has done so, where it matters. `progress` is called with
    (done, total) once that takes longer than a second. An index that turns out to be
    damaged is built anew, and asked again.
    """
    try:
        return question(_index(workspace, progress))
    except Damaged:
        return question(_index(workspace, progress))


def caught_up_index(workspace: Workspace, progress: Progress | None = None) -> "Index":
    """The index with all that the memory has, however long that takes.

    Without it where another process does the same, and takes long: then some is `left`.
    """
    index, now = workspace.open_index(), _Now(workspace)
    if not now.is_known_to(index):
        index.unlearned = index.unlearned or now.changes(index.tip).total
        _catch_up(workspace, index, now, progress)
    return index


def build_index(workspace: Workspace) -> None:
    """The same where nobody waits, and with what is saved meanwhile.

    Left to another process that is at it. Raises UnusableError.
    """
    from gitmem.search.folder import LockedError

    index = workspace.open_index()
    with suppress(LockedError):
        while index.is_on_disk and not (now := _Now(workspace)).is_known_to(index):
            index.build(now.tip, now.changes_while_it_lasts)


def _index(workspace: Workspace, progress: Progress | None) -> "Index":
    index = workspace.open_index()
    if index.tip is None and index.is_being_written():
        index = _begun(workspace, index)
    now = _Now(workspace)
    if now.is_known_to(index) or (index.unlearned and index.is_being_written()):
        return index
    index.unlearned = index.unlearned or now.changes(index.tip).total
    if index.unlearned <= detached.MOST_AWAITED or not _is_built(workspace, index):
        _catch_up(workspace, index, now, progress)
    elif index.tip is None:
        return _begun(workspace, index)
    return index


def _begun(workspace: Workspace, index: "Index") -> "Index":
    """The index once it has the newest sessions, where that does not take too long."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        time.sleep(0.05)
        if (begun := workspace.open_index()).tip is not None:
            return begun
    return index


def _catch_up(
    workspace: Workspace, index: "Index", now: "_Now", progress: Progress | None
) -> None:
    """Once more where something was forgotten meanwhile, which it may have again."""
    index.catch_up(now.tip, now.changes, progress)
    if (later := _Now(workspace)).tombstones != now.tombstones:
        _catch_up(workspace, index, later, progress)


def _is_built(workspace: Workspace, index: "Index") -> bool:
    """Whether another process sees to it; it is started where there is none."""
    if index.is_being_written():
        return True
    common_dir = workspace.repository.common_dir
    with suppress(OSError):
        if index.is_on_disk:
            detached.start_in(common_dir, "index")
            return True
    return False


class _Now:
    """What there is to learn at this moment."""

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
        """What is saved meanwhile is the newest, and to be learned first."""
        found = self.changes(since)
        still = takewhile(
            lambda each: each[0] % _LOOKED_EVERY or self._tips() == self._refs,
            enumerate(found.documents),
        )
        return replace(found, documents=(document for _, document in still))

    def _tips(self) -> list[Oid | None]:
        return [*map(self._git.resolve_ref, refs())]


def rebuild_index(workspace: Workspace, progress: Progress | None = None) -> int:
    """Drop the index and build it from the tip; gives the number of sessions in it.

    Raises NoPermission and Busy as Index.recreate does.
    """
    from gitmem.search.index import Index

    Index.recreate(workspace.index_folder, workspace.index_lock)
    memory = workspace.current_sessions()
    if extent := caught_up_index(workspace, progress).extent:
        raise Busy(f"Another process is building the index: {extent} so far.")
    return sum(1 for _ in memory.ids())
