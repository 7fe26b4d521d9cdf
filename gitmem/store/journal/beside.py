"""Files beside the journal of a conversation, which go when the journal goes."""

from pathlib import Path

from gitmem.git.files import read_own, replace_file

EDITS = ".edits"
"""How many more edits it may have before somebody counts the unsaved ones.

The launcher lowers the number as well, without starting a process. Where two hooks
lower it at once, one edit is missed until somebody counts.
"""
DIFF = ".diff"
"""What the session left uncommitted, where the user wants that kept."""
BESIDE = (".mark", EDITS, DIFF)

_MOST = 999
"""What fits into the three columns that the launcher writes over."""
_MEANWHILE = 20
"""Edits until somebody is asked again who has not answered."""


def start_countdown(file: Path, edits: int) -> None:
    """Count this many edits down, or as many as fit. Raises OSError."""
    replace_file(file, f"{min(edits, _MOST):<3}\n".encode())


def count_down(file: Path) -> bool:
    """Count an edit; return whether it was the last, or there is no number.

    Raises OSError.
    """
    try:
        left = int(read_own(file)) - 1
    except (OSError, ValueError):
        left = 0
    start_countdown(file, left if left > 0 else _MEANWHILE)
    return left <= 0
