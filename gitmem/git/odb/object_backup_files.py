"""The files of objects that are kept: their names, and where git has the same ones.

Loose objects have the names of the objects, packs and their indexes their own.
"""

import os
import zlib
from pathlib import Path

from gitmem.git.files import is_folder, make_folder, read_own
from gitmem.git.layout import own_dir
from gitmem.git.odb.objects import ObjectFormat
from gitmem.git.values import Oid
from gitmem.text.patterns import pattern

_NAME = pattern(r"[0-9a-f]{40,64}|pack-[0-9a-f]+\.(pack|idx)")


def kept_folder(common_dir: Path) -> Path:
    """`ocm/kept`, which need not be there."""
    return own_dir(common_dir) / "kept"


def made_folder(common_dir: Path) -> Path:
    """The folder, made where it is not there. Raises OSError."""
    folder = kept_folder(common_dir)
    for each in (folder.parent, folder):
        make_folder(each)
    return folder


def kept_files(common_dir: Path) -> list[os.DirEntry[str]]:
    """The files by names of ours, in folders that are no links. Raises OSError."""
    folder = kept_folder(common_dir)
    if not (is_folder(folder.parent) and is_folder(folder)):
        return []
    with os.scandir(folder) as entries:
        files = (each for each in entries if each.is_file(follow_symlinks=False))
        return [each for each in files if _NAME.fullmatch(each.name)]


def place_of(name: str) -> str:
    """Where in the common dir git has an object, or a file of a pack.

    As text: a look at hundreds of paths takes ten times as long.
    """
    if name.startswith("pack-"):
        return f"objects/pack/{name}"
    return f"objects/{name[:2]}/{name[2:]}"


def files_of(pack: str) -> tuple[str, str]:
    """Git takes a pack for one once its index is there, so that comes last."""
    return f"{pack}.pack", f"{pack}.idx"


def is_linked(file: Path, other: Path) -> bool:
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


def is_sound(kept: Path) -> bool:
    """Whether the disk still has what was written: links may be copies, not synced."""
    name = kept.stem.removeprefix("pack-")
    named_by = format_of(name)
    try:
        content = read_own(kept)
        if kept.suffix:
            rest, checksum = content[: -named_by.length], content[-named_by.length :]
            return named_by.digest(rest) == checksum
        return named_by.digest(zlib.decompress(content)).hex() == name
    except (OSError, zlib.error):
        return False


def format_of(name: Oid) -> ObjectFormat:
    """By which the object, or the pack, was named."""
    is_long = len(name) == 2 * ObjectFormat.SHA256.length
    return ObjectFormat.SHA256 if is_long else ObjectFormat.SHA1
