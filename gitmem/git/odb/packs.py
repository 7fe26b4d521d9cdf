"""Packs: which objects are in them, and which of them gitmem made.

Only managed packs are combined or deleted; their names stand in a file, one a line. A
pack whose name is lost stays until `git gc` takes it. Indexes are read from the disk: a
library that has a pack open sees its objects after git deleted it. The format is
version 2 of git's `gitformat-pack`.
"""

import mmap
import os
import struct
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import make_folder, open_to_append, read_text, replace_file
from gitmem.git.layout import own_dir
from gitmem.text.patterns import pattern

_MAGIC = b"\377tOc\0\0\0\2"
_NAMES = len(_MAGIC) + 256 * 4
"""Where names begin, after how many there are up to each first byte."""
_SMALL = 100_000
"""Bytes: 3,000 names or so."""


class PackIndex:
    """The names in an index, `length` bytes each, in order.

    Raises OSError, and ValueError for what is no index.
    """

    def __init__(self, path: Path, length: int) -> None:
        self._data = _content(path)
        self._length = length
        is_known = self._data[: len(_MAGIC)] == _MAGIC and len(self._data) >= _NAMES
        if not is_known or len(self._data) < _NAMES + len(self) * length:
            raise ValueError(f"{path} is no index that we know")

    def __len__(self) -> int:
        return self._up_to(255)

    def __getitem__(self, number: int) -> bytes:
        start = _NAMES + number * self._length
        return self._data[start : start + self._length]

    def __contains__(self, name: bytes) -> bool:
        low, high = self._up_to(name[0] - 1), self._up_to(name[0])
        place = bisect_left(self, name, low, high)
        return place < high and self[place] == name

    def _up_to(self, byte: int) -> int:
        """Return how many names begin with this byte or a lower one."""
        if byte < 0:
            return 0
        (number,) = struct.unpack_from(">I", self._data, len(_MAGIC) + 4 * byte)
        return int(number)


def indexes_in(folder: Path, length: int) -> Iterator[PackIndex]:
    """Yield the readable indexes; a pack may vanish meanwhile."""
    for path in folder.glob("*.idx"):
        with suppress(OSError, ValueError):
            yield PackIndex(path, length)


def _content(path: Path) -> bytes | mmap.mmap:
    """Read a small index, map a large one: each map keeps a file open."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size <= _SMALL:
            return file.read()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


_NAME = pattern(r"pack-[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""The file is like any other: it must not lead us elsewhere."""


def remember_packs(common_dir: Path, names: Iterable[str]) -> None:
    """Note packs that we made, such as `pack-1f0c…`. Raises OSError."""
    path = _list_path(common_dir)
    make_folder(path.parent)
    with os.fdopen(open_to_append(path), "w", encoding="ascii") as stream:
        stream.write("".join(f"{name}\n" for name in names))


def own_packs(common_dir: Path) -> list[Path]:
    """Return the packs that gitmem made."""
    text, folder = read_text(_list_path(common_dir)), common_dir / "objects" / "pack"
    names = filter(_NAME.fullmatch, dict.fromkeys(text.splitlines()))
    paths = [folder / f"{name}.pack" for name in names]
    return [p for p in paths if p.is_file() and p.with_suffix(".idx").is_file()]


def forget_gone_packs(common_dir: Path) -> None:
    """Drop the names of packs that are gone, as after a `git gc`. Raises OSError."""
    names = "".join(f"{path.stem}\n" for path in own_packs(common_dir))
    replace_file(_list_path(common_dir), names.encode())


def _list_path(common_dir: Path) -> Path:
    return own_dir(common_dir) / "packs"
