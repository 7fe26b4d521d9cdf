"""Many objects in one file, which costs a disk no more than one does.

A pack and its index (version 2), as git's `gitformat-pack` describes them; without
deltas, which `git gc` finds in time.
"""

import hashlib
import os
import struct
import zlib
from collections.abc import Collection
from pathlib import Path

from gitmem.store.git.objects import GitObject

_READ_ONLY = 0o444


def write_pack(folder: Path, objects: Collection[GitObject]) -> None:
    """Write the objects to a folder of packs; the disk has them when it returns.

    git takes a pack for one once its index is there, so that comes last. What a process
    that dies leaves has a name that `git gc` knows and removes. Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pack, index = _packed(objects)
    name = f"pack-{pack[-20:].hex()}"
    _write_synced(folder / f"{name}.pack", pack)
    _write_synced(folder / f"{name}.idx", index)
    _sync_folder(folder)


def _packed(objects: Collection[GitObject]) -> tuple[bytes, bytes]:
    """The pack, and its index."""
    pack = bytearray(b"PACK" + struct.pack(">II", 2, len(objects)))
    places: list[tuple[bytes, int, int]] = []
    for each in objects:
        packed = _header(each) + zlib.compress(each.content)
        places.append((bytes.fromhex(each.oid), zlib.crc32(packed), len(pack)))
        pack += packed
    pack += _sum(pack)
    return bytes(pack), _index(sorted(places), bytes(pack[-20:]))


def _header(each: GitObject) -> bytes:
    """Kind and length, least bits first: four in the first byte, then seven in each."""
    left, byte = len(each.content) >> 4, each.kind << 4 | len(each.content) & 15
    header = bytearray()
    while left:
        header.append(byte | 128)
        left, byte = left >> 7, left & 127
    header.append(byte)
    return bytes(header)


def _index(places: list[tuple[bytes, int, int]], pack_sum: bytes) -> bytes:
    """Where in a pack its objects are, given as (name, checksum, offset)."""
    firsts = [name[0] for name, _, _ in places]
    numbers = [sum(first <= byte for first in firsts) for byte in range(256)]
    numbers += [checksum for _, checksum, _ in places]
    offsets = [offset for _, _, offset in places]
    index = b"\377tOc" + struct.pack(">257I", 2, *numbers[:256])
    index += b"".join(name for name, _, _ in places)
    index += struct.pack(f">{2 * len(places)}I", *numbers[256:], *offsets)
    index += pack_sum
    return index + _sum(index)


def _sum(content: bytes | bytearray) -> bytes:
    return hashlib.sha1(content, usedforsecurity=False).digest()


def _write_synced(path: Path, content: bytes) -> None:
    temporary = path.with_name(f"tmp_{path.name}_{os.getpid()}")
    temporary.unlink(missing_ok=True)
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(temporary, flags, _READ_ONLY), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
