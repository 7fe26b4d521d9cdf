"""The object backup: what protects new objects from `git gc --prune=now`.

Git cannot distinguish an object that a writer is about to name from garbage. So each
new loose object of ours has a second link in `ocm/kept` of the common dir. Whoever
finds one missing restores it; that needs no lock, as it can be done twice and at once.
A new pack has a `.keep` file beside it, as git has while it fetches: no gc takes it.
"""

import os
import time
import zlib
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cache
from pathlib import Path

from gitmem.git.files import (
    changed_at,
    is_file,
    is_folder,
    make_folder,
    read_own,
    replace_file,
    sync,
)
from gitmem.git.layout import gc_began, own_dir
from gitmem.git.odb.objects import GitObject, ObjectFormat
from gitmem.git.odb.packs import PackIndex, indexes_in
from gitmem.git.values import Oid, is_oid

_AGE = 3600.0
"""Seconds that an object is kept: longer than git mostly takes to prune."""
_MARGIN = 60.0
"""Seconds, and more than enough, from writing an object until its ref has moved."""
_MANY = 5_000
"""Files; where there are more they are kept for a shorter time."""
_SHARE = 20
"""Looking at what is kept takes at most one part in so many of the time."""
KEEP = "gitmem: until its ref has moved"
"""What our `.keep` files say: those of others stay."""
_READ_ONLY = 0o444
_TRIES = 3


def keep(common_dir: Path, new: Collection[GitObject]) -> None:
    """Keep objects that were saved just now, before any ref leads to them.

    Also those that are no file of their own, as git had them in a pack, and those that
    are gone already. Raises OSError.
    """
    folder = _kept_folder(common_dir)
    make_folder(folder.parent)
    make_folder(folder)
    for each in new:
        name = each.oid
        if not _is_linked(common_dir / _place_of(name), folder / name):
            replace_file(folder / name, zlib.compress(each.encoded, 1), _READ_ONLY)
        with suppress(PermissionError):  # an object that existed counts as new
            os.utime(folder / name, follow_symlinks=False)


def keep_pack(pack: Path) -> None:
    """Keep a pack that has what others had, before those go. Raises OSError."""
    replace_file(pack.with_suffix(".keep"), KEEP.encode(), is_synced=True)


def is_kept_by_others(pack: Path) -> bool:
    file = pack.with_suffix(".keep")
    return file.exists() and not _is_ours(file)


def put_back(common_dir: Path) -> int:
    """Put back what is gone; gives how many files that were.

    What is old and where it belongs is not kept any longer. Raises OSError.
    """
    is_gone = _look(common_dir)
    files = _kept_files(common_dir)
    old, number = _old(common_dir, len(files)), 0
    for file in files:
        if is_gone(file.name):
            number += _is_restored(common_dir, Path(file))
        else:
            with suppress(FileNotFoundError):  # another process dropped it
                if file.stat().st_mtime < old:
                    Path(file).unlink()
    _release_packs(common_dir, old)
    return number


def release(common_dir: Path) -> None:
    """Keep nothing any longer. Raises OSError."""
    for file in _kept_files(common_dir):
        Path(file).unlink(missing_ok=True)
    _release_packs(common_dir, time.time())


class Watch:
    """Looks again and again, in a process that lives long."""

    def __init__(self, common_dir: Path) -> None:
        self._common_dir = common_dir
        self._due = 0.0

    def look(self, *, at_once: bool = False) -> int:
        """Put back what is gone; gives how many files that were.

        None where the last look was just now and all need not be there `at_once`, and
        where the file system refuses.
        """
        began = time.monotonic()
        if began < self._due and not at_once:
            return 0
        number = 0
        with suppress(OSError):
            number = put_back(self._common_dir)
        ended = time.monotonic()
        self._due = ended + _SHARE * (ended - began)
        return number


def _look(common_dir: Path) -> Callable[[Oid], bool]:
    """Return whether an object is gone; indexes are read when one is needed."""
    start = f"{common_dir}/"  # paths take ten times as long

    @cache
    def indexes(length: int) -> list[PackIndex]:
        return [*indexes_in(common_dir / "objects" / "pack", length)]

    def is_gone(oid: Oid) -> bool:
        if os.access(start + _place_of(oid), os.F_OK):
            return False
        name = bytes.fromhex(oid)
        return not any(name in index for index in indexes(len(name)))

    return is_gone


def _is_restored(common_dir: Path, kept: Path) -> bool:
    """Put back an object, if its file is intact."""
    place = common_dir / _place_of(kept.name)
    if not is_file(kept):
        return False
    if not _is_sound(kept):
        kept.unlink(missing_ok=True)
        return False
    for _ in range(_TRIES):  # git removes folders in which nothing is left
        place.parent.mkdir(exist_ok=True)
        if _is_linked(kept, place):
            break
    else:
        replace_file(place, kept.read_bytes(), _READ_ONLY)
    sync(place.parent)
    return True


def _release_packs(common_dir: Path, old: float) -> None:
    """Let git take the packs that were saved before."""
    for file in (common_dir / "objects" / "pack").glob("pack-*.keep"):
        if changed_at(file) < old and _is_ours(file):
            file.unlink(missing_ok=True)


def _is_ours(keep: Path) -> bool:
    with suppress(OSError):  # it is gone, or of another user
        return keep.read_bytes().strip() == KEEP.encode()
    return False


def _old(common_dir: Path, number: int) -> float:
    """Return the moment before which saved files may go: their refs have moved.

    In seconds since 1970.
    """
    now = time.time()
    old = now - _AGE * min(1.0, _MANY / max(number, 1)) ** 2
    began = gc_began(common_dir)
    return old if began is None else min(old, began - _MARGIN)


def _kept_folder(common_dir: Path) -> Path:
    """`ocm/kept`, which need not be there."""
    return own_dir(common_dir) / "kept"


def _kept_files(common_dir: Path) -> list[os.DirEntry[str]]:
    """Return our files in folders that are no links. Raises OSError."""
    folder = _kept_folder(common_dir)
    if not (is_folder(folder.parent) and is_folder(folder)):
        return []
    with os.scandir(folder) as entries:
        files = (each for each in entries if each.is_file(follow_symlinks=False))
        return [each for each in files if is_oid(each.name)]


def _place_of(oid: Oid) -> str:
    """Return where in the common dir git has an object in a file of its own."""
    return f"objects/{oid[:2]}/{oid[2:]}"


def _is_linked(file: Path, other: Path) -> bool:
    """Link a file to another place; whether there is something there now.

    Some file systems have no links.
    """
    try:
        os.link(file, other)
    except FileExistsError:
        return True
    except OSError:
        return False
    return True


def _is_sound(kept: Path) -> bool:
    """Return whether an object has its name: links may be unsynced copies."""
    is_long = len(kept.name) == 2 * ObjectFormat.SHA256.length
    named_by = ObjectFormat.SHA256 if is_long else ObjectFormat.SHA1
    try:
        content = zlib.decompress(read_own(kept))
    except (OSError, zlib.error):
        return False
    return named_by.digest(content).hex() == kept.name
