"""Maintenance: replay journals, pack our objects, archive old journals, sweep.

All but the first is done by processes that nobody waits for.
"""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem import processes
from gitmem.documents.kinds import KINDS, changed_kinds
from gitmem.errors import GitmemError
from gitmem.git.files import changed_at, is_file, is_folder
from gitmem.git.layout import own_dir, own_folders
from gitmem.git.odb.packs import release_old
from gitmem.git.packing import is_due, pack_own
from gitmem.store.journal.beside import BESIDE
from gitmem.store.journal.journal import Journal, journal_of
from gitmem.store.lock import locked
from gitmem.workspace import Workspace

_DAY = 86_400.0
"""Seconds."""
_QUIET = 30 * _DAY
"""A journal that nobody wrote to for so long is archived."""
_MOST_JOURNALS = 300
"""Every command looks at them. Where there are more, a quiet day is enough."""
_REMEMBERED = 365 * _DAY
"""So long the archive is kept."""
_PATIENCE = 1.0
_LITTER = ("told-*", ".*.*", "handoff-*.json")
"""What processes that were killed leave: names of hooks that wait, and halves of files
that were about to be replaced; and handoffs that nobody took."""


def replay_all(workspace: Workspace) -> None:
    """Commit what is acknowledged of every kind. Raises as `DocumentStore.replay`."""
    workspace.store.replay()
    for kind in changed_kinds():
        workspace.store_of(kind).replay()


def run_maintenance(workspace: Workspace) -> None:
    """Do what there is to do, which is seen at a glance.

    Whatever hinders it is met again the next time, and costs nothing until then.
    """
    git, store = workspace.repository, workspace.store
    with suppress(GitmemError, OSError):
        release_old(git.common_dir)
        if is_due(git):
            with locked(own_dir(git.common_dir) / "packing.lock", patience=0):
                pack_own(git)
    with suppress(GitmemError, OSError):
        now = workspace.now().timestamp()
        for kind in KINDS.values():
            if kind.parent is None:  # others have no journal of their own
                journal = journal_of(git.common_dir, kind)
                tidy(git.common_dir, store.lock, journal, now)


def start_maintenance(workspace: Workspace) -> None:
    """The same by a process that nobody waits for, once there is much to pack.

    For those whose hooks do not see to it. Looking costs a tenth of a millisecond.
    """
    git = workspace.repository
    with suppress(GitmemError, OSError):
        if is_due(git):
            processes.start_task(git.common_dir, "maintenance")


def tidy(common_dir: Path, lock: Path, journal: Journal, now: float) -> None:
    """Archive journals that are over, and remove what was left behind.

    `lock` is that of whoever writes, held for a moment each; `now` is in seconds since
    1970. Raises OSError, Busy and NoPermission: then the rest is done the next time.
    """
    _sweep(common_dir, now - _DAY)  # first: who is cut off below leaves more of it
    if over := [*journal.past.leftovers(), *_over(journal, now)]:
        journal.past.remove_older(now - _REMEMBERED)
        for name in over:
            with locked(lock, _PATIENCE):
                journal.archive(name)


def _over(journal: Journal, now: float) -> Iterator[str]:
    """Journals that nobody goes on with, as far as one can tell."""
    for place, (name, written_at) in enumerate(journal.written_at().items()):
        quiet = _QUIET if place < _MOST_JOURNALS else _DAY
        if now - written_at > quiet:
            yield name


def _sweep(common_dir: Path, before: float) -> None:
    folders = own_folders(common_dir)
    litter = (path for f in folders for pattern in _LITTER for path in f.glob(pattern))
    marks = (p for f in folders for k in BESIDE for p in f.glob(f"*{k}"))
    alone = (path for path in marks if not path.with_suffix(".jsonl").exists())
    for path in filter(is_file, (*litter, *alone)):
        if changed_at(path) < before:
            path.unlink(missing_ok=True)
    for folder in (path for f in folders for path in f.glob("fetched-*")):
        if is_folder(folder) and changed_at(folder) < before:
            shutil.rmtree(folder, ignore_errors=True)
