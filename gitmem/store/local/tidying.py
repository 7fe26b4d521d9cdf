"""What gathers in `ocm` of the common dir, kept within bounds.

Looked after by processes that nobody waits for.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

from gitmem.store.git.layout import own_dir
from gitmem.store.local.journal import Journal
from gitmem.store.local.lock import locked

_DAY = 86_400.0
"""Seconds."""
_QUIET = 30 * _DAY
"""A journal that nobody wrote to for so long is put away."""
_MOST_JOURNALS = 300
"""Every command looks at them. Where there are more, a quiet day is enough."""
_REMEMBERED = 365 * _DAY
"""So long what stays of it is kept."""
_PATIENCE = 1.0
_LITTER = ("told-*", ".*.*", "journal/.*.*", "journal/past/.*.*", "sessions/.*.*")
"""What processes that were killed leave: names of hooks that wait, and halves of files
that were about to be replaced."""


def tidy(common_dir: Path, lock: Path, journal: Journal, now: float) -> None:
    """Put journals away that are over, and remove what was left behind.

    `lock` is that of whoever writes, held for a moment each; `now` is in seconds since
    1970. Raises OSError, Busy and NoPermission: then the rest is done the next time.
    """
    if over := [*journal.past.all_left(), *_over(journal, now)]:
        journal.past.remove_older(now - _REMEMBERED)
        for name in over:
            with locked(lock, _PATIENCE):
                journal.put_away(name)
    _sweep(own_dir(common_dir), now - _DAY)


def _over(journal: Journal, now: float) -> Iterator[str]:
    """Journals that nobody goes on with, as far as one can tell."""
    for place, (name, written_at) in enumerate(journal.written_at()):
        quiet = _QUIET if place < _MOST_JOURNALS else _DAY
        if now - written_at > quiet:
            yield name


def _sweep(folder: Path, before: float) -> None:
    for pattern in _LITTER:
        for path in folder.glob(pattern):
            if path.is_file() and _changed_at(path) < before:
                path.unlink(missing_ok=True)
    for fetched in folder.glob("fetched-*"):
        if _changed_at(fetched) < before and not fetched.is_symlink():
            shutil.rmtree(fetched, ignore_errors=True)
    for mark in folder.glob("journal/*.mark"):
        is_alone = not mark.with_suffix(".jsonl").exists()
        if is_alone and _changed_at(mark) < before:
            mark.unlink(missing_ok=True)


def _changed_at(path: Path) -> float:
    """Long ago where it is not there."""
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0
