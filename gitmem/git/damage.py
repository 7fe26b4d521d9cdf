"""Missing objects, and refs of ours that are broken.

Git's own walk is the only one that is fast enough for a whole history. In a shallow
clone it ends where that does; in a partial clone it only finds what was left out. Git
neither reads nor writes a broken ref, so a repair replaces its file.
"""

import os
import re
import zlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.git.command import RefusedError
from gitmem.git.files import replace_file
from gitmem.git.opening import OLDEST_FOR_PARTIAL_CLONES
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.text.patterns import pattern

_NAMED = pattern(
    r"(?:bad object|Could not read|could not parse|parse commit|loose object|read tree"
    r"|unable to read|missing (?:blob|tree|commit)(?: object)?|bad tree object)"
    r" '?([0-9a-f]{40}(?:[0-9a-f]{24})?)",
    re.IGNORECASE,
)
"""Git's messages about an object that ends its walk."""
_DIRECT = re.compile(rb"\s*[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\s.*)?", re.DOTALL)


def missing_objects(git: Repository, tips: Sequence[Oid]) -> frozenset[Oid]:
    """Return the missing objects of all that `tips` lead to.

    A commit or tree that cannot be read ends the walk: then perhaps not all of them.
    Raises Unavailable where git does not run, and where it takes more than a minute.
    """
    walk = ["rev-list", "--objects", "--missing=print", "--quiet", *tips, "--"]
    try:
        lines = git.lines(*walk)
        return frozenset(line.decode().strip().lstrip("?") for line in lines)
    except RefusedError as error:
        return frozenset(_NAMED.findall(str(error))) or frozenset(tips)


def is_whole(git: Repository, commit: Oid) -> bool:
    """Return whether git has a commit with all its history, or may fetch the rest."""
    if git.is_partial:
        return git.tree_of(commit) is not None
    return not missing_objects(git, [commit])


BRING_LEFT_OUT = (
    "`git fetch --refetch --no-filter REMOTE 'refs/ocm/*:refs/ocm/*'` brings them, with"
    f" git {OLDEST_FOR_PARTIAL_CLONES} or later."
)


def left_out(git: Repository, refs: Iterable[str]) -> str:
    """Say what a partial clone lacks of what these refs lead to; empty for nothing."""
    tips = [tip for tip in map(git.resolve_ref, refs) if tip] if git.is_partial else []
    if tips and (count := len(missing_objects(git, ["--no-walk", *tips]))):
        return f"this partial clone left out objects of the memory: {count:,}"
    return ""


def all_commits(git: Repository) -> list[Oid]:
    """Return every commit that is there, whether or not a ref leads to it.

    Raises Unavailable as above.
    """
    form = "--batch-check=%(objectname) %(objecttype)"
    listing = ["cat-file", "--batch-all-objects", "--unordered", form]
    with suppress(RefusedError):
        kinds = (line.decode().split() for line in git.lines(*listing))
        return [fields[0] for fields in kinds if fields[-1:] == ["commit"]]
    return []


def out_of_reach(common_dir: Path) -> str:
    """Say why objects may exist that cannot be read now; empty if none do."""
    folder, lines = common_dir / "objects", b""
    with suppress(OSError):
        lines = (folder / "info" / "alternates").read_bytes()
    for line in lines.splitlines():
        elsewhere = folder / os.fsdecode(line)
        if not line.startswith((b"#", b'"')) and not elsewhere.is_dir():
            return f"{elsewhere}, where git looks for objects too, is not there"
    for pack in folder.glob("pack/*.*"):
        if not os.access(pack, os.R_OK):
            return f"{pack} may not be read"
    return ""


def drop_unreadable(common_dir: Path, oids: Collection[Oid]) -> bool:
    """Remove the files of loose objects that hold nothing; whether there were any.

    While such a file is there, git takes the object for one that it has. Raises
    OSError.
    """
    files = [common_dir / "objects" / oid[:2] / oid[2:] for oid in oids]
    damaged = list(filter(_is_damaged, files))
    for file in damaged:
        file.unlink()
    return bool(damaged)


def _is_damaged(loose: Path) -> bool:
    """Return whether a loose object exists whose stream is cut off or broken."""
    if not loose.is_file():
        return False
    stream = zlib.decompressobj()
    try:
        with loose.open("rb") as file:
            while piece := file.read(1 << 20):
                stream.decompress(piece)
    except zlib.error:
        return True
    return not stream.eof


def symbolic_target(git: Repository, ref: str) -> str | None:
    """Return the ref that `ref` is a symbolic one to; None where it is none.

    Raises Unavailable without git.
    """
    with suppress(RefusedError):
        output = git.output("symbolic-ref", "--quiet", ref)
        return output.decode("utf-8", "replace").strip() or None
    return None


def replace_broken(common_dir: Path, ref: str, commit: Oid | None) -> bool:
    """Have a ref whose file names nothing name a commit, in one step; None removes it.

    False, and nothing happened, where the file names something or there is none. Under
    the lock of whoever writes our refs. Raises OSError.
    """
    path = common_dir / ref
    if not path.is_file() or path.is_symlink() or _DIRECT.fullmatch(path.read_bytes()):
        return False
    if commit:
        replace_file(path, f"{commit}\n".encode(), mode=None)
    else:
        path.unlink()
    return True
