"""Pack our objects before they trigger the user's `git gc --auto`.

A checkpoint makes about seven loose objects, and a fetch a pack; `git gc --auto` starts
at 6,700 loose objects or 50 packs. Long before that git packs what our refs lead to,
and combines our packs; the user's objects stay as they are. What was packed is deleted
once the pack is synced, so an interruption loses nothing.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gitmem.errors import Unavailable
from gitmem.git.command import RefusedError
from gitmem.git.files import changed_at, make_folder, replace_file, sync
from gitmem.git.layout import gc_began, own_dir
from gitmem.git.odb.object_backup import is_kept_by_others, keep_pack
from gitmem.git.odb.packs import PackIndex, forget_gone_packs, own_packs, remember_packs
from gitmem.git.repository import Repository

_PREFIXES = ("refs/ocm/", "refs/notes/ocm")

_GC_AUTO, _GC_AUTO_PACKS = 6_700, 50
"""Git's own defaults of `gc.auto` and `gc.autoPackLimit`."""
_SHARE = 3
"""We are done long before git would begin: at a third."""
_SAMPLE, _SAMPLED = "17", 256
"""Git estimates the number of loose objects by this folder, one of so many."""
_MOST_PACKS = 10
_LARGE = 50_000_000
"""Bytes of a pack that is not written once more with every tenth one."""
_OF_OTHERS = (".promisor", ".bitmap", ".mtimes")
"""Files beside a pack that say that somebody else made it anew."""
_PATIENCE = 600.0
"""Seconds; nobody waits for it."""
_PAUSE = 3600.0
"""Seconds between two tries: what stays loose may be the user's."""

_DISCREET = (
    *("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"),
    *("-c", "pack.threads=1", "-c", "pack.packSizeLimit=0"),
)
_PACK = ("pack-objects", "--quiet", "--delta-base-offset", "--non-empty")
_LOOSE = ("--revs", "--unpacked", "--incremental", "--local")


def is_due(git: Repository) -> bool:
    """Return whether loose objects have become many, or our packs; seen at a glance."""
    common_dir = git.common_dir
    if time.time() - changed_at(_stamp(common_dir)) < _PAUSE or gc_began(common_dir):
        return False
    return _are_many_loose(git) or _are_many(git, _small_packs(common_dir))


def pack_own(git: Repository) -> bool:
    """Pack what is due, by one process at a time; whether git did it.

    Raises OSError.
    """
    if not is_due(git):
        return False
    make_folder(own_dir(git.common_dir))
    replace_file(_stamp(git.common_dir), b"")
    try:
        if _are_many_loose(git):
            _pack_loose(git)
        if _are_many(git, packs := _small_packs(git.common_dir)):
            _put_together(git, packs)
    except (RefusedError, Unavailable, ValueError):
        return False
    forget_gone_packs(git.common_dir)
    return True


@contextmanager
def fetching(git: Repository, refs: Iterable[str]) -> Iterator[None]:
    """Note the packs that bring what these refs, which are ours, lead to then.

    A fetch that checks what comes makes a pack of it, however little that is.
    """
    before = set(_pack_folder(git).glob("pack-*.idx"))
    yield
    with suppress(OSError, ValueError):
        if new := set(_pack_folder(git).glob("pack-*.idx")) - before:
            tips = [bytes.fromhex(tip) for tip in map(git.resolve_ref, refs) if tip]
            length = git.object_format.length
            brought = [
                p for p in new if any(map(PackIndex(p, length).__contains__, tips))
            ]
            remember_packs(git.common_dir, (path.stem for path in brought))


def _pack_loose(git: Repository) -> None:
    refs = (ref for prefix in _PREFIXES for ref in git.refs(prefix))
    _pack(git, _LOOSE, filter(None, map(git.resolve_ref, refs)))
    packs = own_packs(git.common_dir)
    length = git.object_format.length
    indexes = [PackIndex(path.with_suffix(".idx"), length) for path in packs]
    for copy in git.common_dir.glob("objects/[0-9a-f][0-9a-f]/*"):
        with suppress(ValueError):  # it has no name of an object
            name = bytes.fromhex(copy.parent.name + copy.name)
            if any(name in index for index in indexes):
                copy.unlink(missing_ok=True)


def _put_together(git: Repository, packs: list[Path]) -> None:
    """All that is in these packs, whether or not anything leads to it."""
    made = _pack(git, ["--stdin-packs"], (path.name for path in packs))
    for name in made:
        keep_pack(_pack_folder(git) / f"{name}.pack")
    if not made:
        return
    indexes = [*_pack_folder(git).glob("multi-pack-index*")]
    for index in indexes:  # they name what goes; git removes them then, too
        index.unlink(missing_ok=True)
    for path in packs:
        if path.stem not in made:
            # without an index, git is blind
            for suffix in (".idx", ".rev", ".pack", ".keep"):
                path.with_suffix(suffix).unlink(missing_ok=True)
    if indexes:
        git.write("multi-pack-index", "write")


def _pack(git: Repository, options: Iterable[str], given: Iterable[str]) -> list[str]:
    """Return the names of the packs that git made; the disk has them."""
    folder = _pack_folder(git)
    folder.mkdir(exist_ok=True)
    command = [*_DISCREET, *_PACK, *options, str(folder / "pack")]
    lines = "".join(f"{each}\n" for each in given).encode()
    listed = git.output(*command, given=lines, patience=_PATIENCE)
    made = [f"pack-{line.decode()}" for line in listed.split()]
    sync(folder)
    remember_packs(git.common_dir, made)
    return made


def _are_many_loose(git: Repository) -> bool:
    enough = -(-_limit(git, "gc.auto", _GC_AUTO) // (_SHARE * _SAMPLED))
    sampled = (git.common_dir / "objects" / _SAMPLE).glob("*")
    return sum(1 for _ in sampled) >= enough


def _are_many(git: Repository, packs: list[Path]) -> bool:
    limit = _limit(git, "gc.autoPackLimit", _GC_AUTO_PACKS) // _SHARE
    return len(packs) > max(1, min(_MOST_PACKS, limit))


def _small_packs(common_dir: Path) -> list[Path]:
    """Return our small packs that may go; none where git has a chain of indexes."""
    if (common_dir / "objects" / "pack" / "multi-pack-index.d").exists():
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


def _pack_folder(git: Repository) -> Path:
    return git.common_dir / "objects" / "pack"


def _stamp(common_dir: Path) -> Path:
    return own_dir(common_dir) / "packed"
