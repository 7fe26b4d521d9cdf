"""Our objects, packed before they trouble the user's `git gc`.

A checkpoint makes seven loose objects or so, and `git gc --auto` sets in at 6,700 of
them, or at 50 packs. So what our refs lead to is packed long before that, by git
itself; what the user has lying about stays as it is. A loose copy goes once the disk
has the pack, so whenever this is cut off every object is there.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time

from gitmem.errors import Unavailable
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.files import read_own, replace_file, sync
from gitmem.git.layout import gc_began, own_dir
from gitmem.git.odb.managed_packs import (
    OwnPack,
    forget_gone_packs,
    own_packs,
    packs_without_index,
    remember_packs,
)
from gitmem.git.repository import Repository

_PREFIXES = ("refs/ocm/", "refs/notes/ocm")

_GC_AUTO, _GC_AUTO_PACKS = 6_700, 50
"""Git's own defaults of `gc.auto` and `gc.autoPackLimit`."""
_SHARE = 3
"""We are done long before git would begin: at a third."""
_SAMPLE, _SAMPLED = "17", 256
"""Git looks into this one of so many folders to tell how many loose objects are."""
_MOST_PACKS = 10
_LARGE = 50_000_000
"""Bytes of a pack that is not written once more with every tenth one."""
_PATIENCE = 600.0
"""Seconds; nobody waits for it."""
_RESPITE = 24 * 3600
"""Seconds after a failure, which may leave a file of git's as large as a pack."""

_DISCREET = (
    *("-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"),
    *("-c", "pack.threads=1", "-c", "pack.packSizeLimit=0"),
)
_PACK = ("pack-objects", "--quiet", "--delta-base-offset", "--non-empty")
_LOOSE_ONES = ("--revs", "--unpacked", "--incremental", "--local")


def is_due(git: Repository, variables: Mapping[str, str]) -> bool:
    """Whether our loose objects have become many, or our packs; seen at a glance."""
    return _Packing(git, variables).is_due() and gc_began(git.common_dir) is None


def pack_own(git: Repository, variables: Mapping[str, str]) -> bool:
    """Pack them, by one process at a time; whether git did it.

    `variables` are the user's environment. Raises OSError.
    """
    return is_due(git, variables) and _Packing(git, variables).run()


@contextmanager
def fetching(git: Repository, refs: Iterable[str]) -> Iterator[None]:
    """Note the packs that bring what these refs, which are ours, lead to then.

    A fetch that checks what comes makes a pack of it, however little that is.
    """
    before = _all_packs(git.common_dir)
    yield
    with suppress(OSError, ValueError):
        if new := _all_packs(git.common_dir) - before:
            tips = [*filter(None, map(git.resolve_ref, refs))]
            ours = [path for path in new if any(map(OwnPack(path, 0).has, tips))]
            remember_packs(git.common_dir, (path.stem for path in ours))


def _all_packs(common_dir: Path) -> set[Path]:
    return set(Path(common_dir, "objects", "pack").glob("pack-*.pack"))


class _Packing:
    def __init__(self, git: Repository, variables: Mapping[str, str]) -> None:
        self._git = git
        self._variables = variables
        self._objects = git.common_dir / "objects"
        self._left_path = own_dir(git.common_dir) / "packed"
        self._failed_path = own_dir(git.common_dir) / "packing-failed"

    def is_due(self) -> bool:
        is_wanted = self._has_many_loose() or self._has_many_packs()
        return is_wanted and not _is_younger(self._failed_path, _RESPITE)

    def run(self) -> bool:
        """False where git did not do it; it is not asked again all the time."""
        try:
            self._run()
        except (RefusedError, Unavailable, ValueError):
            replace_file(self._failed_path, b"")
            return False
        return True

    def _run(self) -> None:
        self._index_again()
        if self._has_many_loose():
            self._pack_loose()
        if self._has_many_packs():
            self._put_together()
        forget_gone_packs(self._git.common_dir)

    def _has_many_loose(self) -> bool:
        """Since the last time: what was left then is the user's.

        Where the user has turned git's own off there is nobody else to pack ours.
        """
        limit = _whole(self._git.config("gc.auto")) or _GC_AUTO
        enough = -(-limit // (_SHARE * _SAMPLED))
        sampled, left = self._sampled(), self._left()
        if sampled < left:  # `git gc` was here
            self._note_left(sampled)
        return sampled - left >= enough

    def _has_many_packs(self) -> bool:
        limit = _whole(self._git.config("gc.autoPackLimit")) or _GC_AUTO_PACKS
        most = max(1, min(_MOST_PACKS, limit // _SHARE))
        return len(self._to_put_together()) > most

    def _index_again(self) -> None:
        """A pack that nobody reads becomes one of ours: nobody knows what is in it."""
        for path in packs_without_index(self._git.common_dir):
            self._ask_git(["index-pack", str(path)])

    def _pack_loose(self) -> None:
        refs = (ref for prefix in _PREFIXES for ref in self._git.refs(prefix))
        tips = filter(None, map(self._git.resolve_ref, refs))
        self._pack(_LOOSE_ONES, dict.fromkeys(tips))
        self._drop_loose_copies()
        self._note_left(self._sampled())

    def _put_together(self) -> None:
        """All that is in our packs, whether or not anything leads to it."""
        before = self._to_put_together()
        names = {name for pack in before for name in pack.names()}
        made = self._pack((), names)
        for pack in before:
            if made and pack.path.stem not in made:
                pack.remove()

    def _pack(self, options: Iterable[str], given: Iterable[str]) -> list[str]:
        """The names of the packs that git made; the disk has them."""
        folder = self._objects / "pack"
        folder.mkdir(exist_ok=True)
        arguments = [*_PACK, *options, str(folder / "pack")]
        lines = "".join(f"{each}\n" for each in given).encode()
        said = self._ask_git(arguments, lines)
        made = [f"pack-{line.decode()}" for line in said.split()]
        sync(folder)
        remember_packs(self._git.common_dir, made)
        return made

    def _ask_git(self, arguments: list[str], given: bytes = b"") -> bytes:
        common_dir, all_of_it = self._git.common_dir, [*_DISCREET, *arguments]
        with output_of_git(
            common_dir, None, all_of_it, self._variables, given, _PATIENCE
        ) as out:
            return out.read()

    def _drop_loose_copies(self) -> None:
        """Of what our packs have, from now or from a time that was cut off."""
        packs = own_packs(self._git.common_dir)
        packed = {name for pack in packs for name in pack.names()}
        for folder in self._objects.glob("[0-9a-f][0-9a-f]"):
            for copy in folder.iterdir():
                if folder.name + copy.name in packed:
                    copy.unlink(missing_ok=True)

    def _to_put_together(self) -> list[OwnPack]:
        """None where git has an index of many packs, which is git's to keep right."""
        if (self._objects / "pack" / "multi-pack-index").exists():
            return []
        packs = own_packs(self._git.common_dir)
        return [pack for pack in packs if pack.size < _LARGE]

    def _sampled(self) -> int:
        try:
            return sum(1 for _ in (self._objects / _SAMPLE).iterdir())
        except OSError:
            return 0

    def _left(self) -> int:
        """How many of the sample stayed loose when we last packed."""
        try:
            return int(read_own(self._left_path))
        except (OSError, ValueError):
            return 0

    def _note_left(self, sampled: int) -> None:
        with suppress(OSError):  # a repository that cannot be written is not packed
            replace_file(self._left_path, b"%d" % sampled)


def _whole(value: str | None) -> int:
    """A number as git's settings have it; 0 for none, and for what turns it off."""
    text = (value or "").strip().lower()
    factor = {"k": 1024, "m": 1024**2, "g": 1024**3}.get(text[-1:], 1)
    try:
        return max(0, int(text.rstrip("kmg")) * factor)
    except ValueError:
        return 0


def _is_younger(path: Path, age: float) -> bool:
    try:
        return time() - path.stat().st_mtime < age
    except OSError:
        return False
