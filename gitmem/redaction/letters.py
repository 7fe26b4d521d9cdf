"""A text as it is searched quickly: in ASCII, in small letters, its long words."""

import string
from collections.abc import Iterator
from functools import lru_cache

_LETTERS = string.ascii_letters + string.digits + "_.+/=~:|@%$!\\[-"
_LONG = b"x" * 18
_MASK = bytes(b"x"[0] if chr(byte) in _LETTERS else b" "[0] for byte in range(256))


def in_ascii(text: str) -> str:
    """`text` with `?` for all that is not ASCII: as long, and quickly searched."""
    return text.encode("ascii", "replace").decode()


@lru_cache(maxsize=1)
def in_small_letters(text: str) -> str:
    """The same in small letters; rule after rule asks for that of one text."""
    return in_ascii(text).lower()


def long_words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words begin and end that are long enough for a token.

    Ten times as fast as a pattern: they are looked up in a mask of the text.
    """
    mask = text.encode("ascii", "replace").translate(_MASK) + b" "
    start = mask.find(_LONG)
    while start >= 0:
        end = mask.find(b" ", start)
        yield start, end
        start = mask.find(_LONG, end)
