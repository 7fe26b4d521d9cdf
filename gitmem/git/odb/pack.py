"""Many objects in one file, which costs a disk no more than one does.

A pack and its index (version 2), as git's `gitformat-pack` describes them; without
deltas, which `git gc` finds in time.
"""

import os
import struct
import zlib
from collections.abc import Collection
from pathlib import Path

from gitmem.git.files import sync
from gitmem.git.odb.objects import GitObject, ObjectFormat

_Place = tuple[bytes, int, int]
"""Of an object in a pack: its name, the checksum of what is there, the offset."""
_READ_ONLY = 0o444


def write_pack(
    folder: Path, objects: Collection[GitObject], named_by: ObjectFormat
) -> str:
    """Write the objects to a folder of packs; the disk has them when it returns.

    Gives the name of the pack, without an ending. git takes a pack for one once its
    index is there, so that comes last. What a process that dies leaves has a name that
    `git gc` knows and removes. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pack, places = _packed(objects, named_by)
    index = _index(places, pack[-named_by.length :], named_by)
    name = f"pack-{pack[-named_by.length :].hex()}"
    _write_synced(folder / f"{name}.pack", pack)
    _write_synced(folder / f"{name}.idx", index)
    sync(folder)
    return name


def pack_of(objects: Collection[GitObject], named_by: ObjectFormat) -> bytes:
    """As git reads it from a stream."""
    return _packed(objects, named_by)[0]


def _packed(
    objects: Collection[GitObject], named_by: ObjectFormat
) -> tuple[bytes, list[_Place]]:
    """The pack, and where in it each object is."""
    pack = bytearray(b"PACK" + struct.pack(">II", 2, len(objects)))
    places: list[_Place] = []
    for each in objects:
        packed = _header(each) + zlib.compress(each.content)
        places.append((bytes.fromhex(each.oid), zlib.crc32(packed), len(pack)))
        pack += packed
    return bytes(pack + named_by.digest(pack)), sorted(places)


def _header(each: GitObject) -> bytes:
    """Kind and length, least bits first: four in the first byte, then seven in each."""
    left, byte = len(each.content) >> 4, each.kind << 4 | len(each.content) & 15
    header = bytearray()
    while left:
        header.append(byte | 128)
        left, byte = left >> 7, left & 127
    header.append(byte)
    return bytes(header)


def _index(places: list[_Place], pack_sum: bytes, named_by: ObjectFormat) -> bytes:
    firsts = [name[0] for name, _, _ in places]
    numbers = [sum(first <= byte for first in firsts) for byte in range(256)]
    numbers += [checksum for _, checksum, _ in places]
    offsets = [offset for _, _, offset in places]
    index = b"\377tOc" + struct.pack(">257I", 2, *numbers[:256])
    index += b"".join(name for name, _, _ in places)
    index += struct.pack(f">{2 * len(places)}I", *numbers[256:], *offsets)
    index += pack_sum
    return index + named_by.digest(index)


def _write_synced(path: Path, content: bytes) -> None:
    """For all to read that may read the folder, whatever the umask says."""
    mode = path.parent.stat().st_mode & _READ_ONLY
    temporary = path.with_name(f"tmp_{path.name}_{os.getpid()}")
    temporary.unlink(missing_ok=True)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(temporary, flags, mode), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
