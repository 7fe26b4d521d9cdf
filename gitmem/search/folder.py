"""The folder of an index: open, create, lock and check it."""

import json
import os
import shutil
import struct
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path

import tantivy

from gitmem.search.documents import SCHEMA, stands_at
from gitmem.waiting import hold_lock

_END = struct.Struct("<II")
_FOOTER_MARK = 1337
_MOST_OPEN = 4
"""Indexes that stay open, in a server for instance."""
LOCK_WAIT = 5.0
"""Seconds to wait for another process that is writing."""


class UnusableError(Exception):
    """The index cannot be read or written here."""


class LockedError(Exception):
    """Another process held the lock all the time."""


def open_index(folder: Path) -> tantivy.Index:
    """Open the sound index in `folder`, or return the open one if nobody wrote since.

    To open one takes longer than a query does.
    """
    with guarded():
        meta = (folder / "meta.json").stat()
        return _open_checked(folder, meta.st_ino, meta.st_mtime_ns)


@lru_cache(maxsize=_MOST_OPEN)
def _open_checked(folder: Path, _inode: int, _written_at: int) -> tantivy.Index:
    # Before Tantivy looks: it would block on a pipe, and follow a link to other data.
    if not _is_ours(folder):
        raise UnusableError
    index = _index(folder)
    searcher = index.searcher()
    if searcher.num_docs and stands_at(searcher)[0] is None:
        raise UnusableError  # of another version
    return index


def is_whole(folder: Path) -> bool:
    """Return whether every file of an opened index has its checksum.

    A truncated or altered file may go unnoticed until a search needs it. Files that
    another process is writing are not part of the index yet. Raises OSError where one
    cannot be read.
    """
    meta = json.loads((folder / "meta.json").read_bytes())
    segments = [segment["segment_id"].replace("-", "") for segment in meta["segments"]]
    files = (file for name in segments for file in folder.glob(f"{name}.*"))
    return all(map(_is_sound, files))


def open_or_create(folder: Path) -> tantivy.Index:
    """Open the index in `folder`, or create an empty one. Only under the lock.

    Deletes files that a killed process was writing.
    """
    try:
        with guarded():
            for unfinished in folder.glob(".tmp*"):
                unfinished.unlink()
        return open_index(folder)
    except UnusableError:
        return create_index(folder)


def create_index(folder: Path) -> tantivy.Index:
    """Replace whatever is in `folder` by an empty index. Only under the lock."""
    with guarded():
        # A link is removed itself: rmtree would empty the folder it leads to.
        if folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)
        else:
            folder.unlink(missing_ok=True)
        folder.mkdir(parents=True)
        return _index(folder)


def in_memory() -> tantivy.Index:
    return _index(None)


def is_locked(lock: Path) -> bool:
    """Return whether another process is writing."""
    try:
        with locked(lock, patience=0):
            return False
    except UnusableError:
        return False
    except LockedError:
        return True


@contextmanager
def locked(lock: Path, patience: float | None = None) -> Iterator[None]:
    """Hold `lock`: Tantivy's own writer lock does not wait but fails at once."""
    waiting = LOCK_WAIT if patience is None else patience
    with ExitStack() as stack:
        try:
            lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            stack.enter_context(hold_lock(lock, waiting))
        except TimeoutError as error:
            raise LockedError from error
        except OSError as error:
            raise UnusableError from error
        yield


@contextmanager
def guarded() -> Iterator[None]:
    """Raise what Tantivy and the disk refuse as UnusableError."""
    try:
        yield
    except (ValueError, OSError) as error:  # Tantivy raises ValueError for most
        raise UnusableError from error
    except BaseException as error:  # a file damaged in the middle makes Tantivy panic
        if type(error).__name__ != "PanicException":
            raise
        raise UnusableError from error


def _is_ours(folder: Path) -> bool:
    """Return whether it has only files: to open a pipe blocks, a link leads away."""
    with os.scandir(folder) as entries:
        is_files = all(entry.is_file(follow_symlinks=False) for entry in entries)
    return is_files and not folder.is_symlink()


def _is_sound(file: Path) -> bool:
    """Check a file's footer: JSON with a checksum, the length of that, a mark."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:  # merged with other segments meanwhile
        return True
    length, mark = _END.unpack(content[-_END.size :].rjust(_END.size, b"\0"))
    body_end = len(content) - _END.size - length
    if mark != _FOOTER_MARK or body_end < 0:
        return False
    try:
        footer = json.loads(content[body_end : -_END.size])
        return bool(footer["crc"] == zlib.crc32(memoryview(content)[:body_end]))
    except (ValueError, KeyError, TypeError):
        return False


def _index(folder: Path | None) -> tantivy.Index:
    """Open or create an index sorted newest first, as hits of equal score are."""
    index = tantivy.Index(
        SCHEMA,
        None if folder is None else str(folder),
        sort_by_field="at",
        sort_order=tantivy.Order.Desc,
    )
    index.config_reader("Manual")  # no thread that watches the folder
    return index
