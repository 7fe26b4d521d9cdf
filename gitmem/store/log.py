"""The log of a repository: what went wrong where nobody was there to be told."""

import os
from pathlib import Path

from gitmem.model.redaction import Redacted

LOG_LIMIT = 100_000
"""Bytes; a log that has grown past it starts anew."""


def log_path(common_dir: Path) -> Path:
    return common_dir / "ocm" / "log"


def append_to_log(common_dir: Path, text: Redacted) -> Path:
    """Add to the log, which is the user's alone; gives its path. Raises OSError."""
    log = log_path(common_dir)
    log.parent.mkdir(mode=0o700, exist_ok=True)
    is_full = log.exists() and log.stat().st_size > LOG_LIMIT
    how = os.O_TRUNC if is_full else os.O_APPEND
    file = os.open(log, os.O_WRONLY | os.O_CREAT | how, 0o600)
    with os.fdopen(file, "w", encoding="utf-8", errors="replace") as stream:
        stream.write(text)
    return log
