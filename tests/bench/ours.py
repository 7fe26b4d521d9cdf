"""The index of gitmem as a ranking."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from bench.data import NOW, Kept

from gitmem.model.changes import Changes, Told
from gitmem.search import ranking
from gitmem.search.index import Hit, Index
from gitmem.search.query import parse


class Ours:
    """An index in a folder of its own, which must not be there yet."""

    def __init__(
        self, folder: Path, kept: Iterable[Kept], *, now: datetime = NOW
    ) -> None:
        self.folder = folder
        self._now = now
        self.index = Index.open(folder / "index", folder / "lock")
        self.learn("first", kept, since=None)

    def learn(self, tip: str, kept: Iterable[Kept], since: str | None) -> None:
        self.index.catch_up(tip, lambda _: _changes(since, tip, kept))

    def hits(self, text: str, limit: int) -> list[Hit]:
        return self.index.search(parse(text, now=self._now, tools={}), limit=limit)

    def ids(self, text: str, limit: int) -> list[str]:
        return [hit.session_id for hit in self.hits(text, limit)]

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(f.stat().st_size for f in self.folder.rglob("*") if f.is_file())


class Unlimited:
    """Our ranking without the threshold, so that nothing but the order counts."""

    def __init__(self, ours: Ours) -> None:
        self._ours = ours

    def ids(self, text: str, limit: int) -> list[str]:
        with _threshold(0.0):
            return self._ours.ids(text, limit)


def _changes(since: str | None, tip: str, kept: Iterable[Kept]) -> Changes:
    told = ((one.id, Told(one.session, one.turns)) for one in kept)
    return Changes(since, tip, 0, told)


@contextmanager
def _threshold(value: float) -> Iterator[None]:
    before = ranking.THRESHOLD
    _set_threshold(value)
    try:
        yield
    finally:
        _set_threshold(before)


def _set_threshold(value: float) -> None:
    setattr(ranking, "THRESHOLD", value)  # noqa: B010 - a constant to everybody else
