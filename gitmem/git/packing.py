"""Combine our packs before they trigger the user's `git gc --auto`.

Each checkpoint and each fetch makes a pack; `git gc --auto` starts at 50 packs. Long
before that git combines ours; the user's objects stay as they are. Packs are deleted
once the combined one is synced, so an interruption loses nothing.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gitmem.errors import Unavailable
from gitmem.git.command import RefusedError
from gitmem.git.files import changed_at, make_folder, replace_file, sync
from gitmem.git.layout import gc_began, own_dir
from gitmem.git.odb.packs import (
    forget_gone_packs,
    is_kept_by_others,
    keep_pack,
    own_packs,
    pack_folder,
    remember_packs,
)
from gitmem.git.repository import Repository

_GC_AUTO_PACKS = 50
"""Git's own default of `gc.autoPackLimit`."""
_SHARE = 3
"""We combine at a third of git's limit."""
_MOST_PACKS = 10
_LARGE = 50_000_000
"""Bytes; a larger pack stays as it is."""
_OF_OTHERS = (".promisor", ".bitmap", ".mtimes")
"""Files beside a pack of which another program is in charge."""
_PATIENCE = 600.0
"""Seconds for git to combine packs; nobody waits for it."""
_PAUSE = 3600.0
"""Seconds after a failure until the next try."""

_DISCREET = (
    *("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"),
    *("-c", "pack.threads=1", "-c", "pack.packSizeLimit=0"),
)
_PACK = ("pack-objects", "--quiet", "--delta-base-offset", "--non-empty")


def is_due(git: Repository) -> bool:
    """Return whether our small packs have become many."""
    return bool(_packs_to_combine(git))


def pack_own(git: Repository) -> bool:
    """Combine what is due, by one process at a time; return whether git did it.

    Raises OSError.
    """
    packs = _packs_to_combine(git)
    if not packs:
        return False
    try:
        _combine(git, packs)
    except (RefusedError, Unavailable):
        make_folder(own_dir(git.common_dir))
        replace_file(_failure(git.common_dir), b"")
        return False
    forget_gone_packs(git.common_dir)
    return True


@contextmanager
def fetching(git: Repository) -> Iterator[None]:
    """Note the packs that a fetch brings as ours.

    A fetch that checks objects makes a pack, however small. A pack that somebody else
    made meanwhile counts as well: combining it loses nothing.
    """
    folder = pack_folder(git.common_dir)
    before = set(folder.glob("pack-*.idx"))
    yield
    with suppress(OSError):
        if new := set(folder.glob("pack-*.idx")) - before:
            remember_packs(git.common_dir, (path.stem for path in new))


def _packs_to_combine(git: Repository) -> list[Path]:
    """Return our small packs if they are many; none during a gc or after a failure."""
    common_dir = git.common_dir
    packs = _without_large(_small_packs(common_dir))
    limit = _limit(git, "gc.autoPackLimit", _GC_AUTO_PACKS) // _SHARE
    if len(packs) <= max(1, min(_MOST_PACKS, limit)) or gc_began(common_dir):
        return []
    failed_lately = time.time() - changed_at(_failure(common_dir)) < _PAUSE
    return [] if failed_lately else packs


def _without_large(packs: list[Path]) -> list[Path]:
    """Return the smallest packs, up to the last below twice the sum of those before.

    So a byte is written again a logarithmic number of times, as by `git repack
    --geometric`, and not with every tenth checkpoint.
    """
    sizes = sorted((path.stat().st_size, path) for path in packs)
    total, count = 0, 0
    for number, (size, _) in enumerate(sizes, 1):
        if size <= 2 * total:
            count = number
        total += size
    return [path for _, path in sizes[:count]]


def _combine(git: Repository, packs: list[Path]) -> None:
    """Combine all that is in these packs, whether or not anything leads to it."""
    names = _pack(git, packs)
    folder = pack_folder(git.common_dir)
    for name in names:
        keep_pack(folder / f"{name}.pack")
    if not names:
        return
    indexes = [*folder.glob("multi-pack-index*")]
    for index in indexes:  # they name what goes; git removes them then, too
        index.unlink(missing_ok=True)
    for path in packs:
        if path.stem not in names:
            # The index goes first: git takes no notice of a pack without one.
            for suffix in (".idx", ".rev", ".pack", ".keep"):
                path.with_suffix(suffix).unlink(missing_ok=True)
    if indexes:
        git.write("multi-pack-index", "write")


def _pack(git: Repository, packs: list[Path]) -> list[str]:
    """Return the names of the packs that git made; the disk has them."""
    folder = pack_folder(git.common_dir)
    command = [*_DISCREET, *_PACK, "--stdin-packs", str(folder / "pack")]
    lines = "".join(f"{path.name}\n" for path in packs).encode()
    output = git.output(*command, stdin=lines, patience=_PATIENCE)
    names = [f"pack-{line.decode()}" for line in output.split()]
    sync(folder)
    remember_packs(git.common_dir, names)
    return names


def _small_packs(common_dir: Path) -> list[Path]:
    """Return our small packs that may go; none where git has a chain of indexes."""
    if (pack_folder(common_dir) / "multi-pack-index.d").exists():
        return []
    small = (path for path in own_packs(common_dir) if path.stat().st_size < _LARGE)
    return [
        pack
        for pack in small
        if not any(pack.with_suffix(suffix).exists() for suffix in _OF_OTHERS)
        and not is_kept_by_others(pack)
    ]


def _limit(git: Repository, key: str, default: int) -> int:
    """Return the default also where the user has turned git's own off."""
    value = (git.config(key) or "").strip()
    return int(value) if value.isdecimal() and int(value) else default


def _failure(common_dir: Path) -> Path:
    return own_dir(common_dir) / "packing-failed"
