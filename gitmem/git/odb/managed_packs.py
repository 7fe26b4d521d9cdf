"""Which packs are ours: only these are put together, and only they may go.

Their names stand in a file, one a line. What is not there is somebody else's, so a name
that is lost costs nothing but that its pack stays as it is until `git gc` takes it.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from gitmem.git.files import make_folder, open_to_append, read_own, replace_file
from gitmem.git.layout import own_dir
from gitmem.text.patterns import pattern

_OF_OTHERS = (".keep", ".promisor", ".bitmap", ".mtimes")
"""Files beside a pack that say it is to stay, or that somebody else made it anew."""
_NAME = pattern(r"pack-[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""The file is like any other: it must not lead us elsewhere."""


def remember_packs(common_dir: Path, names: Iterable[str]) -> None:
    """Note packs that we made, such as `pack-1f0c…`. Raises OSError."""
    path = _list_path(common_dir)
    make_folder(path.parent)
    with os.fdopen(open_to_append(path), "w", encoding="ascii") as stream:
        stream.write("".join(f"{name}\n" for name in names))


def own_packs(common_dir: Path) -> list[Path]:
    """The `.pack` files that are there, and that nobody wants to keep as they are."""
    try:
        text = read_own(_list_path(common_dir)).decode("ascii", "replace")
    except OSError:
        return []
    folder = common_dir / "objects" / "pack"
    names = filter(_NAME.fullmatch, dict.fromkeys(text.splitlines()))
    return [path for name in names if _is_ours(path := folder / f"{name}.pack")]


def forget_gone_packs(common_dir: Path) -> None:
    """Drop the names of packs that are gone, as after a `git gc`. Raises OSError."""
    names = "".join(f"{path.stem}\n" for path in own_packs(common_dir))
    replace_file(_list_path(common_dir), names.encode())


def _is_ours(path: Path) -> bool:
    is_kept = any(path.with_suffix(suffix).exists() for suffix in _OF_OTHERS)
    return not is_kept and path.is_file() and path.with_suffix(".idx").is_file()


def _list_path(common_dir: Path) -> Path:
    return own_dir(common_dir) / "packs"
