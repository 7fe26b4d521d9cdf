"""Read settings of clients, of which nothing is certain."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gitmem.errors import InvalidInput

_MOST_BYTES = 10_000_000


def read_object(path: Path) -> Mapping[str, Any]:
    """Return the object in a file, JSON with comments; an empty one for none."""
    with suppress(OSError, InvalidInput):
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            from gitmem.text import jsonc

            value = jsonc.parsed(path.read_text("utf-8-sig", "replace"))
            return value if isinstance(value, dict) else {}
    return {}


def members(values: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Return the object at `keys`, else an empty one."""
    for key in keys:
        found = values.get(key)
        values = found if isinstance(found, dict) else {}
    return values


def items(values: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list under `key`, else an empty one."""
    found = values.get(key)
    return found if isinstance(found, list) else []
