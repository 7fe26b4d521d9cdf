"""Files that travel with the package: `hooks/` and `rules/`.

In a wheel they lie inside the package; in a checkout, and so in an editable install,
at its top.
"""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_IN_WHEEL = _PACKAGE / "_files"


def resource(name: str) -> Path:
    """The path of a packaged file or folder, such as `rules/opencodememory.md`."""
    root = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent
    return root / name
