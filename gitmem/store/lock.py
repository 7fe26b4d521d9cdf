"""One writer at a time, in all work trees of a repository.

The operating system drops the lock when its holder dies, so nobody ever waits for a
process that is gone. Where a file system has no locks, as on some network mounts,
compare-and-swap alone keeps writers apart: a lock that is a file by itself would
outlive its holder, and nobody can see whether that of another machine is gone.
"""

import errno
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from gitmem.errors import Busy, NoPermission
from gitmem.git.files import make_folder
from gitmem.waiting import hold_lock, holder_of

PATIENCE = 30.0  # seconds; a checkpoint holds the lock for milliseconds
_POLL = 0.003
_HAS_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


@contextmanager
def locked(path: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Hold the lock at `path`; nothing where the file system has no locks.

    Raises Busy when others hold it for `patience` seconds.
    """
    with ExitStack() as stack:
        try:
            make_folder(path.parent)
            stack.enter_context(hold_lock(path, patience, _POLL))
        except TimeoutError as error:
            raise Busy(
                f"{path} is locked by {holder_of(path)}, for {patience:.0f} seconds.",
                hint="Try again; `ocm status` says what is waiting.",
            ) from error
        except OSError as error:
            if error.errno not in _HAS_NO_LOCKS:
                raise NoPermission(
                    f"Cannot write to {error.filename or path.parent}:"
                    f" {error.strerror}.",
                    hint="`ocm doctor` says if something else stands in its place.",
                ) from error
        yield
