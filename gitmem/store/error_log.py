"""The log of a repository: errors of hooks and background processes."""

import os
from collections.abc import Callable
from pathlib import Path

from gitmem.git.files import (
    is_file,
    make_folder,
    open_to_append,
    read_own,
    replace_file,
)
from gitmem.git.layout import own_dir
from gitmem.redaction.redact import Redacted

LOG_LIMIT = 100_000
"""Bytes; a log that has grown past it starts anew."""
_MOST_AT_ONCE = 20_000
"""Characters of one entry: its beginning and its end, which say the most."""


def log_path(common_dir: Path) -> Path:
    return own_dir(common_dir) / "log"


def append_to_log(common_dir: Path, text: Redacted) -> Path:
    """Add to the log, which is the user's alone; gives its path. Raises OSError."""
    log = log_path(common_dir)
    make_folder(log.parent)
    file = open_to_append(log)
    with os.fdopen(file, "w", encoding="utf-8", errors="replace") as stream:
        if os.fstat(file).st_size > LOG_LIMIT:
            os.ftruncate(file, 0)
        half = _MOST_AT_ONCE // 2
        is_long = len(text) > _MOST_AT_ONCE
        stream.write(f"{text[:half]} […] {text[-half:]}" if is_long else text)
    return log


def drop_lines(common_dir: Path, is_dropped: Callable[[str], bool]) -> None:
    """Take lines out of the log, if there is one. Raises OSError."""
    log = log_path(common_dir)
    if not is_file(log):
        return
    before = read_own(log).decode("utf-8", "replace")
    kept = (line for line in before.splitlines(keepends=True) if not is_dropped(line))
    if (after := "".join(kept)) != before:
        replace_file(log, after.encode())
