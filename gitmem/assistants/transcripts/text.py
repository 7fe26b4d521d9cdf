"""Transcripts that are text for people, read line by line and without trust."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

LONGEST = 1024 * 1024
"""Characters of a line that are read at once; what is longer counts as several."""


def text_lines(file: Path) -> Iterator[str]:
    """The lines of a file with their ends, each one a line feed.

    What is no UTF-8 becomes a replacement character. Raises OSError where the file
    cannot be opened.
    """
    with file.open(encoding="utf-8-sig", errors="replace") as opened:
        yield from iter(partial(opened.readline, LONGEST), "")
