"""The report of a defect: what a developer needs, without what is the user's alone."""

import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem import __version__
from gitmem.git.files import replace_file

_PACKAGES = ("pygit2", "tantivy", "mcp", "typer", "rich")


def write_report(error: BaseException) -> Path | None:
    """Where the report was written; None where the file system takes it nowhere.

    A defect that is met again and again has one file, named after its place.
    """
    from gitmem.redaction.redact import redact

    report = redact("\n".join([*_versions(), "", *traceback.format_exception(error)]))
    last = traceback.extract_tb(error.__traceback__)[-1]
    name = f"crash-{type(error).__name__}-{Path(last.filename).stem}-{last.lineno}.txt"
    for folder in _folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(folder / name, report.encode("utf-8", "replace"))
            return folder / name
    return None


def _versions() -> Iterator[str]:
    from importlib.metadata import PackageNotFoundError, version

    yield f"gitmem {__version__}"
    yield f"python {sys.version.split()[0]} on {platform.platform()}"
    for name in _PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is missing"


def _folders() -> Iterator[Path]:
    with suppress(Exception):  # that may be the defect
        from gitmem.config import current_environment

        yield current_environment().home / "crashes"
    yield Path(tempfile.mkdtemp(prefix="ocm-crash-"))
