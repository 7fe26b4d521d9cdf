"""Files that are there whole or not at all, and those of the user, read with care."""

import errno
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from gitmem.errors import InvalidInput, NoPermission, NotFound
from gitmem.frozen import frozen
from gitmem.text.shape import value_of

T = TypeVar("T")

OWN = 0o600
"""Mode of files of ours: the user alone may read them."""
MOST_BYTES = 5_000_000
"""Nothing that people configure programs with is longer."""


def file_state(file: Path) -> object:
    """Return what changes with a file; None if it is missing."""
    with suppress(OSError):
        status = file.stat()
        return status.st_ino, status.st_size, status.st_mtime_ns
    return None


def replace_file(
    path: Path, content: bytes, mode: int | None = OWN, *, is_synced: bool = False
) -> None:
    """Put `content` at `path` in one step; what was there, a link included, is gone.

    Without a `mode` it is as new files are for this user. What can be made again need
    not be synced; what was there of the user's could be empty after a power cut. Raises
    OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    file = os.open(temporary, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(file, "wb") as stream:
            if mode is not None:
                os.fchmod(file, mode)  # whatever the umask says
            stream.write(content)
            if is_synced:
                stream.flush()
                os.fsync(file)
        temporary.replace(path)
    except OSError:  # no space, or a folder at `path`
        temporary.unlink(missing_ok=True)
        raise


def sync(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def left_of(path: Path) -> list[Path]:
    """Return temporary files that killed processes left beside a path."""
    pattern = re.compile(rf"\.{re.escape(path.name)}\.([0-9]+)")
    beside = path.parent.glob(".*") if path.parent.is_dir() else ()
    matches = ((file, pattern.fullmatch(file.name)) for file in beside)
    return [file for file, name in matches if name and not _is_at_work(int(name[1]))]


def _is_at_work(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (OSError, OverflowError) as error:
        return isinstance(error, PermissionError)
    return True


def make_folder(folder: Path) -> bool:
    """Make a folder of ours, for the user alone; whether it was not there.

    Raises OSError, also where something else stands there: what is written behind a
    link would be written elsewhere.
    """
    if is_folder(folder):
        return False
    try:
        folder.mkdir(mode=0o700, parents=True)
    except FileExistsError:
        if is_folder(folder):  # another process was faster
            return False
        reason = os.strerror(errno.ENOTDIR)
        raise OSError(errno.ENOTDIR, reason, str(folder)) from None
    return True


def changed_at(path: Path) -> float:
    """Return when a path was modified, in seconds since 1970; 0 if it is missing."""
    try:
        return path.lstat().st_mtime
    except (OSError, ValueError):
        return 0.0


def is_folder(path: Path) -> bool:
    """Return whether there is one, and no link to one."""
    return stat.S_ISDIR(_mode(path))


def require_place(file: Path) -> None:
    """Raise NotFound where a file's folder is missing; InvalidInput if it is no file.

    A new file would take the place of a pipe or a device.
    """
    if not file.parent.is_dir():
        raise NotFound(
            f"There is no folder {file.parent}.",
            hint="Make it, or mount the disk that it is on.",
        )
    if file.exists() and not file.is_file():
        raise InvalidInput(f"{file} is no file.")


@contextmanager
def refusals_at(path: Path) -> Iterator[None]:
    """Raise NoPermission for what the system says meanwhile of what a user named."""
    try:
        yield
    except OSError as error:
        raise NoPermission(f"The system refuses {path}: {error.strerror}.") from error


def is_file(path: Path) -> bool:
    """Return whether there is one that can be read at once: no link, and no pipe."""
    return stat.S_ISREG(_mode(path))


def open_own(path: Path) -> BinaryIO:
    """Return a file of ours, to be read. Raises OSError.

    Also for what is no file of its own: a pipe would have us wait for ever, and a link
    leads to what is not ours.
    """
    return os.fdopen(_open_regular(path, os.O_RDONLY), "rb")


def read_own(path: Path) -> bytes:
    """Return all of a file of ours. Raises OSError as `open_own` does."""
    with open_own(path) as file:
        return file.read()


def read_text(path: Path) -> str:
    """Return the text of a file of ours; "" where there is none, or it is closed."""
    with suppress(OSError):
        return read_own(path).decode("utf-8", "replace")
    return ""


def read_value(path: Path, kind: type[T]) -> T | None:
    """Return the value that a JSON file of ours has; None where it has none such."""
    with suppress(OSError, ValueError, RecursionError):
        return value_of(kind, json.loads(read_own(path)))
    return None


def write_value(path: Path, value: Any, *, is_synced: bool = False) -> None:
    """Write a dataclass to a JSON file of ours, for `read_value`. Raises OSError."""
    make_folder(path.parent)
    content = json.dumps(asdict(value), default=datetime.isoformat)
    replace_file(path, content.encode(), is_synced=is_synced)


def open_to_append(path: Path) -> int:
    """Open or create a file of ours; return its descriptor. Raises OSError as above."""
    return _open_regular(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def _open_regular(path: Path, flags: int) -> int:
    file = os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW, OWN)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "Not a regular file", str(path))
    return file


def _mode(path: Path) -> int:
    """Return 0 for what is not there."""
    try:
        return path.lstat().st_mode
    except OSError:
        return 0


def end_of(path: Path, most: int) -> bytes:
    """Return the last `most` bytes of a file. Raises OSError."""
    with path.open("rb") as file:
        file.seek(max(0, file.seek(0, os.SEEK_END) - most))
        return file.read()


@frozen
class UserFile:
    """A file that belongs to the user, as it was found."""

    path: Path
    """The real path, after all links."""
    content: bytes | None
    """None where there is no such file."""
    mode: int | None = None
    """None where there is no such file."""


def read_user_file(root: Path, name: str) -> UserFile:
    """Read the file that `name` leads to, below a resolved `root`, outside of `.git`.

    A repository can bring links along that would make us read and write elsewhere.
    Raises NoPermission, with a message that follows the file's name, for everything
    that is not ours to touch or cannot be.
    """
    file = root / name
    try:
        path = file.resolve()  # before Python 3.13, a RuntimeError for a circle
        if not path.is_relative_to(root):
            raise NoPermission("leads out of the work tree through a link")
        if ".git" in path.relative_to(root).parts:
            raise NoPermission("leads into the repository through a link")
        if path.is_symlink():
            raise NoPermission("cannot be read: links in a circle")
        if file.is_symlink() and not path.exists():
            raise NoPermission("is a link to nothing")
        return UserFile(path, *_content_and_mode(path))
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "links in a circle"
        raise NoPermission(f"cannot be read: {reason}") from error


def _content_and_mode(path: Path) -> tuple[bytes | None, int | None]:
    if not path.exists():
        _check_folder(path.parent)
        return None, None
    if not path.is_file():
        raise NoPermission("is a folder" if path.is_dir() else "is no regular file")
    stat = path.stat()
    if stat.st_size > MOST_BYTES:
        raise NoPermission(f"has more than {MOST_BYTES // 1_000_000} MB")
    if not os.access(path, os.W_OK):
        raise NoPermission("may not be written")
    return path.read_bytes(), stat.st_mode & 0o777


def _check_folder(folder: Path) -> None:
    """Require that files can be in a folder once it has been made."""
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir():
        raise NoPermission(f"cannot be there: {folder.name} is no folder")


def write_all(file: int, data: bytes) -> None:
    """Write all bytes, in one call where possible, so that lines never interleave."""
    while data:
        data = data[os.write(file, data) :]
