"""What gathers in `ocm` of the common dir, kept within bounds.

Done once a day at most, by processes that nobody waits for.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.errors import Busy
from gitmem.store.files import replace_file
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


def tidy(common_dir: Path, lock: Path, journal: Journal, now: float) -> bool:
    """Put journals away, and remove what was left behind; whether it was time to.

    `lock` is that of whoever writes, held for a moment each; `now` is in seconds since
    1970. Raises OSError, Busy and NoPermission: then the rest is done the next day.
    """
    done = own_dir(common_dir) / "tidied"
    if not journal.is_there() or now - _changed_at(done) < _DAY:
        return False
    replace_file(done, b"")
    with suppress(Busy):
        for name in _over(journal, now):
            with locked(lock, _PATIENCE):
                journal.put_away(name)
        for name in list(journal.past.all_left()):
            with locked(lock, _PATIENCE):
                journal.end_putting_away(name)
    journal.past.remove_older(now - _REMEMBERED)
    _sweep(own_dir(common_dir), now - _DAY)
    return True


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
