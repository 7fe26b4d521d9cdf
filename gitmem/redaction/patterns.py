"""Regular expressions that are compiled when they are first used.

A hook redacts a few lines and ends, and most texts need none of them.
"""

import re
from typing import Any, cast


class _Late:
    def __init__(self, source: str, flags: int) -> None:
        self._source, self._flags = source, flags

    def __getattr__(self, name: str) -> Any:
        """Give what the pattern has, and keep it where it is found next time."""
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves as `re.compile(source, flags)`, called when needed."""
    return cast("re.Pattern[str]", _Late(source, flags))
