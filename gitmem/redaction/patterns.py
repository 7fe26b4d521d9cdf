"""Regular expressions that are compiled when they are first used, and lists of words.

A hook redacts a few lines and ends, and most texts need none of the patterns.
"""

import re
from functools import cache
from typing import Any, cast

compiled = cache(re.compile)


class _Late:
    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        """Give what the pattern has, and keep it where it is found next time."""
        value = getattr(compiled(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves as `re.compile(source, flags)`, called when needed."""
    return cast("re.Pattern[str]", _Late(source, flags))


def listed(words: str) -> tuple[str, ...]:
    """The words of a list, written with spaces between."""
    return tuple(words.split())
