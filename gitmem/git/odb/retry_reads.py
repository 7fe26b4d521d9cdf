"""Reading once more what was not there for a moment.

Beside us git puts one pack in the place of others, and removes what nobody named yet.
The first is there again as soon as one looks, the second once it is put back.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from gitmem.errors import Damaged
from gitmem.git.odb.object_backup import put_back

_TRIES = 4

T = TypeVar("T")


def persistent(
    read: Callable[[], T | None], look_anew: Callable[[], None], common_dir: Path
) -> T | None:
    """What `read` gives, called again where it raises Damaged, some times at the most.

    Also where it gives None, and something was put back. `look_anew` makes the reader
    forget what the disk had.
    """
    for number in range(_TRIES - 1):
        with suppress(Damaged):
            found = read()
            if found is not None or number > 0 or not _restored(common_dir):
                return found
        if number == 0:
            _restored(common_dir)
        look_anew()
    return read()


def _restored(common_dir: Path) -> int:
    """How many files were put back; none where the file system refuses."""
    with suppress(OSError):
        return put_back(common_dir)
    return 0
