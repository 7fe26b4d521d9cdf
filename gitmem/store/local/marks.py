"""How far journals are in commits: a small file beside each."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from gitmem.model.shape import fits
from gitmem.store.files import open_own, replace_file


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a journal is drained, and into which document."""

    offset: int = 0
    session_id: str | None = None


class Marks:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> Mark:
        """As it stands there; one that is missing or unreadable says nothing."""
        try:
            with open_own(self._path(name)) as file:
                mark = Mark(**json.load(file))
        except (OSError, ValueError, TypeError, RecursionError):
            return Mark()
        return mark if fits(mark, Mark) and mark.offset >= 0 else Mark()

    def put(self, name: str, mark: Mark) -> None:
        """Not synced. Raises OSError."""
        replace_file(self._path(name), json.dumps(asdict(mark)).encode())

    def remove(self, name: str) -> None:
        """Raises OSError."""
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.mark"
