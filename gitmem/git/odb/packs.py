"""Packs that gitmem made, and the `.keep` files that protect their objects.

Git cannot distinguish an object that a writer is about to name from garbage. So every
new pack of ours has a `.keep` file, as git's own packs have during a fetch: no gc takes
it. The file goes once the ref has moved for sure.

Only packs of ours are combined or deleted; their names stand in a file, one a line. A
pack whose name is lost stays until `git gc` takes it.
"""

import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import (
    changed_at,
    make_folder,
    open_to_append,
    read_text,
    replace_file,
    sync,
)
from gitmem.git.layout import gc_began, own_dir
from gitmem.text.patterns import pattern

KEEP = "gitmem: until its ref has moved"
"""Content of our `.keep` files; those of others stay."""
_AGE = 3600.0
"""Seconds that a pack is protected: longer than `git repack`, which has no `gc.pid`."""
_MARGIN = 60.0
"""Seconds, and more than enough, from writing an object until its ref has moved."""
_NAME = pattern(r"pack-[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""The list is a file like any other: no name in it may lead elsewhere."""


def pack_folder(common_dir: Path) -> Path:
    return common_dir / "objects" / "pack"


def keep_pack(pack: Path) -> None:
    """Protect a pack that replaces others, before those go. Raises OSError."""
    replace_file(pack.with_suffix(".keep"), KEEP.encode(), is_synced=True)


def is_kept_by_others(pack: Path) -> bool:
    file = pack.with_suffix(".keep")
    return file.exists() and not _is_ours(file)


def release_old(common_dir: Path) -> None:
    """Let git take the packs whose refs have moved. Raises OSError."""
    old, began = time.time() - _AGE, gc_began(common_dir)
    # A running gc read the refs when it began: what was new then, it would delete.
    release(common_dir, old if began is None else min(old, began - _MARGIN))


def release(common_dir: Path, before: float | None = None) -> None:
    """Let git take our packs that were saved `before`, or all. Raises OSError."""
    for file in pack_folder(common_dir).glob("pack-*.keep"):
        if (before is None or changed_at(file) < before) and _is_ours(file):
            file.unlink(missing_ok=True)


def remember_packs(common_dir: Path, names: Iterable[str]) -> None:
    """Note packs that we made, such as `pack-1f0c…`. Raises OSError."""
    path = _list_path(common_dir)
    make_folder(path.parent)
    with os.fdopen(open_to_append(path), "w", encoding="ascii") as stream:
        stream.write("".join(f"{name}\n" for name in names))


def take_packs(source: Path, common_dir: Path) -> None:
    """Move the packs of a repository of ours here, for those who read this folder.

    Git takes notice of a pack once its index is there, so that comes last. Raises
    OSError.
    """
    folder = pack_folder(common_dir)
    readers = folder.stat().st_mode & 0o444
    packs = [*pack_folder(source).glob("pack-*.pack")]
    remember_packs(common_dir, (pack.stem for pack in packs))
    for pack in packs:
        for suffix in (".keep", ".rev", ".pack", ".idx"):
            with suppress(FileNotFoundError):  # some versions of git make no `.rev`
                file = folder / f"{pack.stem}{suffix}"
                shutil.move(pack.with_suffix(suffix), file)
                file.chmod(readers)
    sync(folder)


def own_packs(common_dir: Path) -> list[Path]:
    """Return the packs that gitmem made."""
    text, folder = read_text(_list_path(common_dir)), pack_folder(common_dir)
    names = filter(_NAME.fullmatch, dict.fromkeys(text.splitlines()))
    paths = [folder / f"{name}.pack" for name in names]
    return [p for p in paths if p.is_file() and p.with_suffix(".idx").is_file()]


def forget_gone_packs(common_dir: Path) -> None:
    """Drop the names of packs that are gone, as after a `git gc`. Raises OSError."""
    names = "".join(f"{path.stem}\n" for path in own_packs(common_dir))
    replace_file(_list_path(common_dir), names.encode())


def _is_ours(keep: Path) -> bool:
    with suppress(OSError):  # it is gone, or of another user
        return keep.read_bytes().strip() == KEEP.encode()
    return False


def _list_path(common_dir: Path) -> Path:
    return own_dir(common_dir) / "packs"
