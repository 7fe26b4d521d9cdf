"""The folder that an index lives in, and everything that can be wrong with it."""

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
from gitmem.waiting import held

_END = struct.Struct("<II")
_FOOTER_MARK = 1337
_KEPT = 4
"""Indexes that stay open, of a server for instance."""
LOCK_WAIT = 5.0
"""Seconds to wait for another process that is writing."""


class UnusableError(Exception):
    """The index cannot be read here, or not be written."""


class LockedError(Exception):
    """Another process has kept the lock all the time."""


def opened(folder: Path) -> tantivy.Index:
    """The index in `folder`, which has to be there and to be sound.

    One that nobody wrote since it was opened is the same: to open it takes longer than
    a query does.
    """
    with guarded():
        written = (folder / "meta.json").stat()
        return _opened(folder, written.st_ino, written.st_mtime_ns)


@lru_cache(maxsize=_KEPT)
def _opened(folder: Path, _inode: int, _written_at: int) -> tantivy.Index:
    if not _is_ours(folder):
        raise UnusableError
    index = _index(folder)
    searcher = index.searcher()
    if searcher.num_docs and stands_at(searcher)[0] is None:
        raise UnusableError  # of another version
    return index


def is_whole(folder: Path) -> bool:
    """Whether every file of the index is as it was written, by its checksum.

    One that was cut or altered may go unnoticed until a search needs it. What another
    process is writing is no part of the index yet. Raises OSError where one cannot be
    read. `folder` has been opened before.
    """
    meta = json.loads((folder / "meta.json").read_bytes())
    segments = [each["segment_id"].replace("-", "") for each in meta["segments"]]
    files = (file for name in segments for file in folder.glob(f"{name}.*"))
    return all(map(_is_sound, files))


def opened_or_made(folder: Path) -> tantivy.Index:
    """The index in `folder`, or an empty one in its place. Only under the lock.

    Files that a killed process was writing are deleted.
    """
    try:
        with guarded():
            for unfinished in folder.glob(".tmp*"):
                unfinished.unlink()
        return opened(folder)
    except UnusableError:
        return made(folder)


def made(folder: Path) -> tantivy.Index:
    """An empty index in `folder`, whatever was there. Only under the lock."""
    with guarded():
        if folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder)
        else:
            folder.unlink(missing_ok=True)
        folder.mkdir(parents=True)
        return _index(folder)


def in_memory() -> tantivy.Index:
    return _index(None)


def is_locked(lock: Path) -> bool:
    """Whether another process is writing."""
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
            stack.enter_context(held(lock, waiting))
        except TimeoutError as error:
            raise LockedError from error
        except OSError as error:
            raise UnusableError from error
        yield


@contextmanager
def guarded() -> Iterator[None]:
    """Tell what Tantivy and the disk refuse as UnusableError.

    Tantivy raises ValueError for nearly everything. In files that are damaged in the
    middle it panics, and a panic is no Exception.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        raise UnusableError from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise UnusableError from error


def _is_ours(folder: Path) -> bool:
    """Whether it has files alone: a pipe is waited for, and a link leads elsewhere."""
    with os.scandir(folder) as entries:
        is_files = all(each.is_file(follow_symlinks=False) for each in entries)
    return is_files and not folder.is_symlink()


def _is_sound(file: Path) -> bool:
    """Tantivy ends each file with its checksum, in JSON, the length of that, a mark."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:  # put together with others meanwhile
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
    """Newest first, so that of documents with equal scores the newest are kept."""
    index = tantivy.Index(
        SCHEMA,
        None if folder is None else str(folder),
        sort_by_field="at",
        sort_order=tantivy.Order.Desc,
    )
    index.config_reader("Manual")  # no thread that watches the folder
    return index
