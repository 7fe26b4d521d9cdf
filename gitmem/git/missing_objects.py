"""Objects that refs lead to and that are not there, asked of the git command.

A walk of git's own is the only one fast enough for all that a history ever had. In a
shallow clone it ends where that does; of a partial one it cannot be asked.
"""

import os
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.text.patterns import pattern

_NAMED = pattern(
    r"(?:bad object|Could not read|could not parse|parse commit|loose object|read tree"
    r"|unable to read|missing (?:blob|tree|commit)(?: object)?|bad tree object)"
    r" '?([0-9a-f]{40}(?:[0-9a-f]{24})?)",
    re.IGNORECASE,
)
"""What git says of an object that ends its walk."""
_RAW = pattern(r":\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*\t(.+)")


def missing_objects(
    git: Repository, tips: Sequence[Oid], variables: Mapping[str, str]
) -> frozenset[Oid]:
    """Names of those that are not there, of all that leads to `tips`, and these too.

    A commit or tree that cannot be read ends the walk: then perhaps not all of them.
    `variables` are the user's environment. Raises Unavailable where git does not run,
    and where it takes more than a minute.
    """
    walk = ["rev-list", "--objects", "--missing=print", "--quiet", *tips, "--"]
    try:
        with output_of_git(git.git_dir, git.work_tree, walk, variables) as lines:
            return frozenset(line.decode().strip().lstrip("?") for line in lines)
    except RefusedError as error:
        return frozenset(_NAMED.findall(str(error))) or frozenset(tips)


def paths_of(
    git: Repository, tip: Oid, oids: Collection[Oid], variables: Mapping[str, str]
) -> Iterator[str]:
    """Where these blobs are, or were, in the commits that lead to `tip`.

    None where trees or commits are missing as well. Raises Unavailable as above.
    """
    how = ["--format=", "--raw", "-m", "--root", "--no-renames", "--no-abbrev"]
    listing = ["log", *how, "-r", tip, "--"]
    try:
        with output_of_git(git.git_dir, git.work_tree, listing, variables) as lines:
            for line in lines:
                found = _RAW.match(line.decode("utf-8", "replace"))
                if found and found[1] in oids:
                    yield found[2].rstrip("\n")
    except RefusedError:
        return


def all_commits(git: Repository, variables: Mapping[str, str]) -> list[Oid]:
    """Every commit that is there, whether or not a ref leads to it.

    Raises Unavailable as above.
    """
    form = "--batch-check=%(objectname) %(objecttype)"
    listing = ["cat-file", "--batch-all-objects", "--unordered", form]
    try:
        with output_of_git(git.git_dir, git.work_tree, listing, variables) as lines:
            kinds = (line.decode().split() for line in lines)
            return [each[0] for each in kinds if each[-1:] == ["commit"]]
    except RefusedError:
        return []


def out_of_reach(common_dir: Path) -> str:
    """Why objects may be there that nobody can read now; nothing where all can be."""
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
    """Whether there is a loose object, and its stream cannot be read to the end."""
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
