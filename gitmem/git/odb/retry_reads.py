"""Reading once more what was not there for a moment.

Beside us git puts one pack in the place of others, and removes what nobody named yet.
The first is there again as soon as one looks, the second once it is put back.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from gitmem.errors import Damaged
from gitmem.git.odb.object_backup import put_back

_TRIES = 4


class Reader(Protocol):
    """Of objects."""

    common_dir: Path

    def look_anew(self) -> None:
        """Know nothing any more of what the disk had."""


P = ParamSpec("P")
R = TypeVar("R", bound=Reader)
T = TypeVar("T")


def persistent(
    read: Callable[Concatenate[R, P], T],
) -> Callable[Concatenate[R, P], T]:
    """A method that is called again where it raises Damaged, some times at the most."""

    @wraps(read)
    def reading(self: R, /, *args: P.args, **kwargs: P.kwargs) -> T:
        for number in range(_TRIES - 1):
            with suppress(Damaged):
                return read(self, *args, **kwargs)
            if number == 0:
                _restored(self.common_dir)
            self.look_anew()
        return read(self, *args, **kwargs)

    return reading


def even_if_pruned(
    read: Callable[Concatenate[R, P], T | None],
) -> Callable[Concatenate[R, P], T | None]:
    """A method that is called again where it gives None, and something was put back."""

    @wraps(read)
    def reading(self: R, /, *args: P.args, **kwargs: P.kwargs) -> T | None:
        found = read(self, *args, **kwargs)
        if found is None and _restored(self.common_dir):
            self.look_anew()
            found = read(self, *args, **kwargs)
        return found

    return reading


def _restored(common_dir: Path) -> int:
    """How many files were put back; none where the file system refuses."""
    with suppress(OSError):
        return put_back(common_dir)
    return 0
