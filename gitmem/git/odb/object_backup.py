"""The object backup: hard links that protect new objects from `git gc --prune=now`.

Git cannot distinguish an object that a writer is about to name from garbage. So each
new object of ours has a second link in `ocm/kept` of the common dir, loose ones and
packs by their names. Whoever finds one missing restores it; that needs no lock, as it
can be done twice and at once.
"""

import os
import time
import zlib
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from gitmem.git.files import (
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
from gitmem.text.patterns import pattern

_AGE = 3600.0
"""Seconds that an object is kept: longer than git mostly takes to prune."""
_MARGIN = 60.0
"""Seconds, and more than enough, from writing an object until its ref has moved."""
_MANY = 5_000
"""Files; where there are more they are kept for a shorter time."""
_SHARE = 20
"""Looking at what is kept takes at most one part in so many of the time."""
_NAME = pattern(r"[0-9a-f]{40,64}|pack-[0-9a-f]+\.(pack|idx)")
_READ_ONLY = 0o444
_TRIES = 3


def keep(common_dir: Path, new: Collection[GitObject]) -> None:
    """Keep objects that were saved just now, before any ref leads to them.

    Also those that are no file of their own, as git had them in a pack, and those that
    are gone already. Raises OSError.
    """
    folder = _made_folder(common_dir)
    for each in new:
        name = each.oid
        if not _is_linked(common_dir / _place_of(name), folder / name):
            replace_file(folder / name, _loose(each), _READ_ONLY)
        _freshen(folder / name)


def keep_pack(common_dir: Path, name: str) -> None:
    """Keep a pack, `pack-<checksum>`, that was saved just now. Raises OSError."""
    folder = _made_folder(common_dir)
    for file in _files_of(name):
        saved = common_dir / _place_of(file)
        if not _is_linked(saved, folder / file):
            replace_file(folder / file, saved.read_bytes(), _READ_ONLY)
        _freshen(folder / file)


def put_back(common_dir: Path) -> int:
    """Put back what is gone; gives how many files that were.

    What is old and where it belongs is not kept any longer. Raises OSError.
    """
    look = _Look(common_dir)
    files = _kept_files(common_dir)
    old, number = _old(common_dir, len(files)), 0
    for file in files:
        if gone := look.gone(file.name):
            number += sum(map(look.restored, gone))
        elif _is_older(file, old):
            look.drop(file.name)
    return number


def release(common_dir: Path) -> None:
    """Keep nothing any longer. Raises OSError."""
    for file in _kept_files(common_dir):
        Path(file).unlink(missing_ok=True)


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


class _Look:
    """At what is kept, beside what the repository has at the moment."""

    def __init__(self, common_dir: Path) -> None:
        self._common_dir = common_dir
        self._start = f"{common_dir}/"  # paths take ten times as long
        self._folder = _kept_folder(common_dir)
        self._indexes: list[PackIndex] | None = None

    def gone(self, name: str) -> tuple[str, ...]:
        """Return the files that are to be put back for this one, in order."""
        if os.access(self._start + _place_of(name), os.F_OK):
            return ()
        if is_oid(name):
            return () if self._is_packed(bytes.fromhex(name)) else (name,)
        pack, _, ending = name.rpartition(".")
        is_index = pack.startswith("pack-") and ending == "idx"
        return _files_of(pack) if is_index and not self._is_elsewhere(pack) else ()

    def _is_elsewhere(self, pack: str) -> bool:
        named_by = _format_of(pack.removeprefix("pack-"))
        try:
            names = PackIndex(self._folder / f"{pack}.idx", named_by.length)
        except (OSError, ValueError):
            return False
        return all(
            self._is_packed(name) or (self._common_dir / _place_of(name.hex())).exists()
            for name in names
        )

    def _is_packed(self, name: bytes) -> bool:
        if self._indexes is None:
            folder = self._common_dir / "objects" / "pack"
            self._indexes = [*indexes_in(folder, len(name))]
        return any(name in index for index in self._indexes)

    def drop(self, name: str) -> None:
        """Delete a file of the backup; a pack goes with its index."""
        pack, _, ending = name.rpartition(".")
        files = _files_of(pack) if ending == "idx" else (name,)
        if ending != "pack" or not (self._folder / f"{pack}.idx").exists():
            for each in filter(is_file, map(self._folder.joinpath, files)):
                each.unlink(missing_ok=True)

    def restored(self, name: str) -> int:
        """Put back one file, if it is intact; return how many were."""
        kept, place = self._folder / name, self._common_dir / _place_of(name)
        if not is_file(kept):
            return 0
        if not _is_sound(kept):
            kept.unlink(missing_ok=True)
            return 0
        for _ in range(_TRIES):  # git removes folders in which nothing is left
            place.parent.mkdir(exist_ok=True)
            if _is_linked(kept, place):
                break
        else:
            replace_file(place, kept.read_bytes(), _READ_ONLY)
        sync(place.parent)
        return 1


def _old(common_dir: Path, number: int) -> float:
    """Return the moment before which saved files may go: their refs have moved.

    In seconds since 1970.
    """
    now = time.time()
    old = now - _AGE * min(1.0, _MANY / max(number, 1)) ** 2
    began = gc_began(common_dir)
    return old if began is None else min(old, began - _MARGIN)


def _is_older(file: os.DirEntry[str], when: float) -> bool:
    """Return whether a file was written before; False if another process dropped it."""
    try:
        return file.stat().st_mtime < when
    except FileNotFoundError:
        return False


def _freshen(path: Path) -> None:
    """Set the time to now: an object that existed counts as new."""
    with suppress(PermissionError):
        os.utime(path, follow_symlinks=False)


def _loose(made: GitObject) -> bytes:
    """Encode an object as git does in a loose file."""
    header = f"{made.kind_name} {len(made.content)}\0".encode()
    return zlib.compress(header + made.content, 1)


def _kept_folder(common_dir: Path) -> Path:
    """`ocm/kept`, which need not be there."""
    return own_dir(common_dir) / "kept"


def _made_folder(common_dir: Path) -> Path:
    """Return the folder, made where it is not there. Raises OSError."""
    folder = _kept_folder(common_dir)
    for each in (folder.parent, folder):
        make_folder(each)
    return folder


def _kept_files(common_dir: Path) -> list[os.DirEntry[str]]:
    """Return our files in folders that are no links. Raises OSError."""
    folder = _kept_folder(common_dir)
    if not (is_folder(folder.parent) and is_folder(folder)):
        return []
    with os.scandir(folder) as entries:
        files = (each for each in entries if each.is_file(follow_symlinks=False))
        return [each for each in files if _NAME.fullmatch(each.name)]


def _place_of(name: str) -> str:
    """Return where in the common dir git has an object, or a file of a pack."""
    if name.startswith("pack-"):
        return f"objects/pack/{name}"
    return f"objects/{name[:2]}/{name[2:]}"


def _files_of(pack: str) -> tuple[str, str]:
    """Return the files of a pack, the index last: it makes git see the pack."""
    return f"{pack}.pack", f"{pack}.idx"


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
    """Return whether a file matches its checksum: links may be unsynced copies."""
    name = kept.stem.removeprefix("pack-")
    named_by = _format_of(name)
    try:
        content = read_own(kept)
        if kept.suffix:
            rest, checksum = content[: -named_by.length], content[-named_by.length :]
            return named_by.digest(rest) == checksum
        return named_by.digest(zlib.decompress(content)).hex() == name
    except (OSError, zlib.error):
        return False


def _format_of(name: Oid) -> ObjectFormat:
    """Return the hash by which an object, or a pack, was named."""
    is_long = len(name) == 2 * ObjectFormat.SHA256.length
    return ObjectFormat.SHA256 if is_long else ObjectFormat.SHA1
