"""The report of a defect: what a developer needs, without what is the user's alone."""

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem import __version__

_FOLDER, _MOST_REPORTS = "crashes", 20
_PACKAGES = ("pygit2", "tantivy", "mcp", "typer", "rich")


def write_report(error: BaseException) -> Path | None:
    """Where the report was written; None where the file system takes it nowhere."""
    from gitmem.redaction.redact import redact

    report = redact("\n".join([*_versions(), "", *traceback.format_exception(error)]))
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            file, name = tempfile.mkstemp(".txt", "crash-", folder)
            with os.fdopen(file, "w", encoding="utf-8", errors="replace") as stream:
                stream.write(report)
            _drop_oldest(folder, Path(name))
            return Path(name)
        except OSError:
            continue
    return None


def _drop_oldest(folder: Path, new: Path) -> None:
    """The same defect is met again and again by what runs by itself."""
    others = [path for path in folder.glob("crash-*.txt") if path != new]
    if folder.name == _FOLDER and len(others) >= _MOST_REPORTS:
        others.sort(key=lambda path: path.stat().st_mtime)
        for path in others[: -_MOST_REPORTS + 1]:
            path.unlink(missing_ok=True)


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

        yield current_environment().home / _FOLDER
    yield Path(tempfile.gettempdir())
