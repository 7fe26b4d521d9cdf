"""What the package has beside its code, `hooks/` and `rules/`, and how it is run.

In a wheel they lie inside the package; in a checkout, and so in an editable install,
at its top.
"""

import atexit
import gc
import sys
from pathlib import Path

_PACKAGE = Path(__file__).parent
_IN_WHEEL = _PACKAGE / "_files"


def resource(name: str) -> Path:
    """The path of a packaged file or folder, such as `rules/opencodememory.md`."""
    root = _IN_WHEEL if _IN_WHEEL.is_dir() else _PACKAGE.parent
    return root / name


def module_command(module: str) -> list[str]:
    """The command that runs a module of ours in another process.

    Python looks for it where this one did, and not in the folder of its start.
    """
    flags = "-EP" if sys.flags.ignore_environment else "-P"
    return [sys.executable, flags, "-m", module]


def collect_rarely() -> None:
    """Spare a process that ends soon most of Python's garbage collection.

    What it imports is never garbage; looking for it took a sixth of `ocm list`.
    """
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)
