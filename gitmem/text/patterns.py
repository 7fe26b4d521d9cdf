"""Regular expressions that are compiled on first use, and lists of words."""

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any, cast

compiled = cache(re.compile)


class _Late:
    def __init__(self, compiled: Callable[[], Any]) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:
        """Give what the pattern has, and keep it where it is found next time."""
        value = getattr(self._compiled(), name)
        setattr(self, name, value)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves as `re.compile(source, flags)`, called when needed."""
    return cast("re.Pattern[str]", _Late(partial(compiled, source, flags)))


def linear(source: str) -> re.Pattern[str]:
    """Return the same by RE2, which compiles a large pattern ten times as fast.

    It knows no lookaround, and its classes are ASCII.
    """
    return cast("re.Pattern[str]", _Late(partial(_compiled_by_re2, source)))


@cache
def _compiled_by_re2(source: str) -> Any:
    import re2  # type: ignore[import-untyped]  # it brings no types

    return re2.compile(source)


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a list, written with spaces between."""
    return tuple(words.split())
