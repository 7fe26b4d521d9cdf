"""Fast forms and searches of a text: ASCII, lower case, long words, many patterns."""

import string
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import AnyStr, TypeVar

T = TypeVar("T")

_LETTERS = string.ascii_letters + string.digits + "_.+/=~:|@%$!\\[-"
_LONG = b"x" * 18
_MASK = bytes(b"x"[0] if chr(byte) in _LETTERS else b" "[0] for byte in range(256))


@lru_cache(maxsize=1)
def in_ascii(text: str) -> bytes:
    """Return `text` with `?` for all that is not ASCII, of the same length."""
    return text.encode("ascii", "replace")


@lru_cache(maxsize=1)
def in_small_letters(text: str) -> bytes:
    """Return `text` in ASCII and lower case; cached, as each rule asks for it."""
    return in_ascii(text).lower()


def places_of(literal: AnyStr, text: AnyStr) -> Iterator[int]:
    """Yield the offsets of `literal`, which may overlap."""
    place = text.find(literal)
    while place >= 0:
        yield place
        place = text.find(literal, place + 1)


def ends_in(text: str, words: tuple[str, ...], marks: str) -> bool:
    """Return whether a text ends in one of the words, and one of the marks or none."""
    small = text[-20:].lower()
    return small.endswith(words) or (small[-1:] in marks and small[:-1].endswith(words))


def finder(rows: Iterable[tuple[str, T]]) -> Callable[[bytes], list[T]]:
    """Return a function that gives, in order, the values whose patterns match a text.

    RE2 searches all patterns in one pass, which is thirty times as fast.
    """
    import re2  # type: ignore[import-untyped]  # it brings no types

    patterns, values = zip(*rows, strict=True)
    together = re2.Set.SearchSet()
    for pattern in patterns:
        together.Add(pattern)
    together.Compile()
    return lambda letters: [values[n] for n in sorted(together.Match(letters) or ())]


def long_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of words that are long enough for a token.

    A search in a mask of the text is ten times as fast as a pattern.
    """
    mask = in_ascii(text).translate(_MASK) + b" "
    start = mask.find(_LONG)
    while start >= 0:
        end = mask.find(b" ", start)
        yield start, end
        start = mask.find(_LONG, end)
