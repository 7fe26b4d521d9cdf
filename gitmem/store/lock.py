"""One writer at a time, in all work trees of a repository.

The operating system drops the lock when its holder dies, so nobody ever waits for a
process that is gone. Where a file system has no locks, as some network mounts do, a
file of this machine stands in: writers of one user take turns here, and those of other
machines are kept apart by compare-and-swap alone. A lock that is a file by itself would
outlive its holder, and nobody can see whether that of another machine is gone.
"""

import errno
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gitmem.errors import Busy, NoPermission
from gitmem.git.files import make_folder
from gitmem.waiting import held, holder_of

PATIENCE = 30.0  # seconds; a checkpoint holds the lock for milliseconds
_POLL = 0.003
_HAS_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock at `path`, or what stands in for it.

    Raises Busy when others do not let go of it for `patience` seconds.
    """
    with ExitStack() as stack:
        try:
            make_folder(path.parent)
            _hold(path, patience, stack)
        except TimeoutError as error:
            raise Busy(
                f"{path} is locked by {holder_of(path)}, for {patience:.0f} seconds.",
                hint="Try again; `ocm status` says what is waiting.",
            ) from error
        except OSError as error:
            raise NoPermission(
                f"Cannot write to {error.filename or path.parent}: {error.strerror}.",
                hint="`ocm doctor` says if something else stands in its place.",
            ) from error
        yield


def _hold(path: Path, patience: float, stack: ExitStack) -> None:
    """Without any, where not even the stand-in can be locked: writers still compare."""
    if not _is_held(path, patience, stack) and (stand_in := _stand_in(path)):
        _is_held(stand_in, patience, stack)


def _is_held(path: Path, patience: float, stack: ExitStack) -> bool:
    """False where the file system has no locks."""
    try:
        stack.enter_context(held(path, patience, _POLL))
    except OSError as error:
        if error.errno in _HAS_NO_LOCKS:
            return False
        raise
    return True


def _stand_in(path: Path) -> Path | None:
    """A file that is this user's alone; None where there can be none."""
    folder = Path(tempfile.gettempdir(), f"ocm-{os.getuid()}")
    try:
        folder.mkdir(exist_ok=True, mode=0o700)
        found = folder.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        return None
    return folder / hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:32]
