"""What a target is, and where it may write."""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Target:
    run: Callable[[bytes], None]
    seeds: Callable[[], Iterator[bytes]]
    """What it is usually given, to begin with."""
    has_lines: bool = False
    """True if that is lines of JSON, or of a document."""


class InMemory(tempfile.TemporaryDirectory[str]):
    """A folder on no disk where the system has such: nothing waits for one."""

    def __init__(self) -> None:
        memory = Path("/dev/shm")
        super().__init__(dir=memory if memory.is_dir() else None)

    def __enter__(self) -> Path:  # type: ignore[override]  # a path is what is wanted
        return Path(super().__enter__())
