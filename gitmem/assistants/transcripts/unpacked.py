"""Read a file packed by Zstandard; a hostile one may unpack to terabytes."""

import sys
from errno import EFBIG, EIO
from io import RawIOBase
from pathlib import Path

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["Unpacked", "zstd"]


class Unpacked(RawIOBase):
    """What a file holds. Reading raises OSError for damage, and beyond a limit."""

    def __init__(self, file: Path, limit: int) -> None:
        self._packed = zstd.open(file, "rb")
        self._limit = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        if self._packed.tell() > self._limit:
            raise OSError(EFBIG, f"it unpacks to more than {self._limit:,} bytes")
        try:
            return self._packed.readinto(buffer)
        except (EOFError, zstd.ZstdError) as error:
            raise OSError(EIO, "what it is packed in is damaged or cut off") from error

    def close(self) -> None:
        self._packed.close()
        super().close()
