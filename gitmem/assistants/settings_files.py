"""Settings of clients: JSON with comments, of which nothing counts as given."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gitmem.errors import InvalidInput
from gitmem.text import jsonc

_MOST_BYTES = 10_000_000


def read_object(path: Path) -> Mapping[str, Any]:
    """Return the object in a file, an empty one if none can be read."""
    with suppress(OSError, InvalidInput):
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            value = jsonc.parsed(path.read_text("utf-8-sig", "replace"))
            return value if isinstance(value, dict) else {}
    return {}
