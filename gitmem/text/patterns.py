"""Regular expressions that are compiled on first use, and lists of words."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, cast

_FIRST_SOUND = (3, 11, 5)
"""Before it Python lets a group like `(?:ab?c)*+` take what its last try only began to
match: https://github.com/python/cpython/issues/106052."""
_RE2_MEMORY = 64_000_000
"""Bytes that RE2 may fill with the states of a pattern. With its usual 8 MB it drops
those of a large table again and again, and takes seven times as long."""


@cache
def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return the compiled pattern, which means the same in every Python."""
    is_sound = sys.version_info >= _FIRST_SOUND or ")" not in source
    return re.compile(source, flags) if is_sound else _of_atomic_groups(source, flags)


def _of_atomic_groups(source: str, flags: int) -> re.Pattern[str]:
    """Compile possessive groups as `(?>(?:ab?c)*)`, which was sound from the first."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    tree = _parser.parse(source, flags)
    for part in [*_parts(tree, _parser.SubPattern)]:
        for number, (operator, value) in enumerate(part.data):
            if operator is _parser.POSSESSIVE_REPEAT:
                greedy = _parser.SubPattern(part.state, [(_parser.MAX_REPEAT, value)])
                part.data[number] = (_parser.ATOMIC_GROUP, greedy)
    matching: re.Pattern[str] = _compiler.compile(tree, flags)
    return matching


def _parts(tree: Any, sequence: type) -> Iterator[Any]:
    """Yield all sequences in a parsed pattern."""
    if isinstance(tree, sequence):
        yield tree
    if isinstance(tree, (sequence, tuple, list)):
        for part in tree:  # type: ignore[attr-defined]  # a sequence is one, too
            yield from _parts(part, sequence)


class _Late:
    def __init__(self, source: str, compiled: Callable[[], Any]) -> None:
        self.pattern = source
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern at the first use, and cache the attribute."""
        value = getattr(self._compiled(), name)
        setattr(self, name, value)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern as `re.compile(source, flags)` does, compiled at first use."""
    return cast("re.Pattern[str]", _Late(source, partial(compiled, source, flags)))


def linear(source: str) -> re.Pattern[str]:
    """Return a pattern of RE2, which compiles large ones ten times as fast.

    It has no lookaround, and its classes are ASCII.
    """
    return cast("re.Pattern[str]", _Late(source, partial(_compiled_by_re2, source)))


@cache
def _compiled_by_re2(source: str) -> Any:
    import re2  # type: ignore[import-untyped]  # it brings no types

    options = re2.Options()
    options.max_mem = _RE2_MEMORY
    return re2.compile(source, options)


def word_list(words: str) -> tuple[str, ...]:
    """Return the words of a list, separated by spaces."""
    return tuple(words.split())
