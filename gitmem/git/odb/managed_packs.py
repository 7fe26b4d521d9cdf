"""Which packs are ours: only these are put together, and only they may go.

Their names stand in a file, one a line. What is not there is somebody else's, so a name
that is lost costs nothing but that its pack stays as it is until `git gc` takes it.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import time

from gitmem.git.files import make_folder, open_to_append, read_own, replace_file
from gitmem.git.layout import own_dir
from gitmem.git.odb.pack_index import PackIndex
from gitmem.git.values import Oid

_OF_OTHERS = (".keep", ".promisor", ".bitmap", ".mtimes")
"""Files beside a pack that say it is to stay, or that somebody else made it anew."""
_REMOVED = (".idx", ".rev", ".pack")
"""The index first: without it nobody looks for the pack."""
_LEFT = 24 * 3600
"""Seconds after which nobody is still writing a pack."""


@dataclass(frozen=True, slots=True)
class OwnPack:
    path: Path
    """Of the file that ends in `.pack`."""
    size: int
    """Bytes."""

    def names(self) -> Iterator[Oid]:
        """The objects in it. Raises OSError, and ValueError for a broken index."""
        for name in self._index():
            yield name.hex()

    def has(self, oid: Oid) -> bool:
        """Raises as above."""
        return bytes.fromhex(oid) in self._index()

    def remove(self) -> None:
        """Raises OSError."""
        for suffix in _REMOVED:
            self.path.with_suffix(suffix).unlink(missing_ok=True)

    def _index(self) -> PackIndex:
        length = len(self.path.stem.removeprefix("pack-")) // 2
        return PackIndex(self.path.with_suffix(".idx"), length)


def remember_packs(common_dir: Path, names: Iterable[str]) -> None:
    """Note packs that we made, such as `pack-1f0c…`. Raises OSError."""
    path = _list_path(common_dir)
    make_folder(path.parent)
    with os.fdopen(open_to_append(path), "w", encoding="ascii") as stream:
        stream.write("".join(f"{name}\n" for name in names))


def own_packs(common_dir: Path) -> list[OwnPack]:
    """Those that are there, and that nobody wants to keep as they are."""
    found = (_own_pack(common_dir, name) for name in _remembered(common_dir))
    return [pack for pack in found if pack]


def packs_without_index(common_dir: Path) -> list[Path]:
    """Those of ours that git passes over and never removes. Raises OSError.

    As a removal that was cut off leaves them; not such as are still being written.
    """
    left = (name for name in _remembered(common_dir) if _is_left(common_dir, name))
    paths = [_folder(common_dir) / f"{name}.pack" for name in left]
    return [path for path in paths if time() - path.stat().st_mtime > _LEFT]


def forget_gone_packs(common_dir: Path) -> None:
    """Drop the names of packs that are gone, as after a `git gc`. Raises OSError."""
    names = _remembered(common_dir)
    there = [n for n in names if _own_pack(common_dir, n) or _is_left(common_dir, n)]
    if there != names:
        content = "".join(f"{name}\n" for name in there)
        replace_file(_list_path(common_dir), content.encode())


def _remembered(common_dir: Path) -> list[str]:
    try:
        text = read_own(_list_path(common_dir)).decode("ascii", "replace")
    except OSError:
        return []
    return list(dict.fromkeys(filter(_is_name, text.splitlines())))


def _is_name(line: str) -> bool:
    """The file is like any other: it must not lead us elsewhere."""
    digits = line.removeprefix("pack-")
    is_long = len(digits) in (40, 64) and digits != line
    return is_long and all(digit in "0123456789abcdef" for digit in digits)


def _own_pack(common_dir: Path, name: str) -> OwnPack | None:
    path = _folder(common_dir) / f"{name}.pack"
    if any(path.with_suffix(suffix).exists() for suffix in _OF_OTHERS):
        return None
    try:
        is_whole = path.with_suffix(".idx").is_file()
        return OwnPack(path, path.stat().st_size) if is_whole else None
    except OSError:
        return None


def _is_left(common_dir: Path, name: str) -> bool:
    """Whether it is a pack alone: its index was removed, or is yet to come."""
    path = _folder(common_dir) / f"{name}.pack"
    beside = (".idx", *_OF_OTHERS)
    return path.exists() and not any(path.with_suffix(s).exists() for s in beside)


def _folder(common_dir: Path) -> Path:
    return common_dir / "objects" / "pack"


def _list_path(common_dir: Path) -> Path:
    return own_dir(common_dir) / "packs"
