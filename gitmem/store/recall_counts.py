"""How often memories were recalled on this machine: a file beside git, never synced."""

import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import NamedTuple

from gitmem.git.files import make_folder, open_to_append, read_text, replace_file

_FILE = "recalled"
_MOST_BYTES = 100_000
"""Bytes of the file; beyond, it gets one line for each memory."""


class RecallCount(NamedTuple):
    """How often a memory was recalled, and on which day last."""

    times: int
    last: date


def count_recalls(own_dir: Path, memory_ids: Iterable[str], day: date) -> None:
    """Count that memories were recalled. Raises OSError."""
    text = "".join(f"{memory_id} {day} 1\n" for memory_id in memory_ids)
    if not text:
        return
    make_folder(own_dir)
    file = open_to_append(own_dir / _FILE)
    try:
        os.write(file, text.encode())
        is_large = os.fstat(file).st_size > _MOST_BYTES
    finally:
        os.close(file)
    if is_large:
        _write_sums(own_dir)


def recall_counts(own_dir: Path) -> dict[str, RecallCount]:
    """Return how often memories were recalled, by their ids.

    What is no line of ours is passed over.
    """
    counts: dict[str, RecallCount] = {}
    for line in read_text(own_dir / _FILE).splitlines():
        with suppress(ValueError):
            memory_id, day, times = line.split()
            count = counts.get(memory_id, RecallCount(0, date.min))
            last = max(count.last, date.fromisoformat(day))
            counts[memory_id] = RecallCount(count.times + int(times), last)
    return counts


def _write_sums(own_dir: Path) -> None:
    sums = (
        f"{memory_id} {count.last} {count.times}\n"
        for memory_id, count in recall_counts(own_dir).items()
    )
    replace_file(own_dir / _FILE, "".join(sums).encode())
