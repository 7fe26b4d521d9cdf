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


class Reads(NamedTuple):
    """How often a memory was recalled, and on which day last."""

    times: int
    last: date


def note_recalled(own_dir: Path, ids: Iterable[str], day: date) -> None:
    """Count that memories were recalled. Raises OSError."""
    text = "".join(f"{document_id} {day} 1\n" for document_id in ids)
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
        counted = (
            f"{name} {reads_of_one.last} {reads_of_one.times}\n"
            for name, reads_of_one in reads(own_dir)
        )
        replace_file(own_dir / _FILE, "".join(counted).encode())


def reads(own_dir: Path) -> Iterable[tuple[str, Reads]]:
    """Return the memories that were recalled, by their ids; none where none is known.

    What is no line of ours is passed over.
    """
    reads_by_id: dict[str, Reads] = {}
    for line in read_text(own_dir / _FILE).splitlines():
        with suppress(ValueError):
            name, day, times = line.split()
            before = reads_by_id.get(name, Reads(0, date.min))
            last = max(before.last, date.fromisoformat(day))
            reads_by_id[name] = Reads(before.times + int(times), last)
    return reads_by_id.items()
