"""Measures the search: what it finds, what it declines, and how long that takes.

    python tests/bench/search_bench.py DATA_FOLDER [--sizes 133 1000 10000]

`bench.data` says what the folder holds. Compare within one run; milliseconds differ
between machines and hours.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data
from bench.data import NOW, Asked
from bench.rivals import Bm25, Fts5

from gitmem.model.changes import Changes
from gitmem.model.session import Session
from gitmem.search import ranking
from gitmem.search.index import Hit, Index
from gitmem.search.query import parse


class Ranking(Protocol):
    def ids(self, text: str, limit: int) -> list[str]: ...


class Ours:
    """The index of gitmem, in a folder of its own."""

    def __init__(self, folder: Path, sessions: Sequence[Session]) -> None:
        self.folder = folder
        self.index = Index.open(folder / "index", folder / "lock")
        self.learn("first", sessions, since=None)

    def learn(self, tip: str, sessions: Sequence[Session], since: str | None) -> None:
        told = [(session.id, session) for session in sessions]
        self.index.catch_up(tip, lambda _: Changes(since, tip, len(told), told))

    def hits(self, text: str, limit: int) -> list[Hit]:
        return self.index.search(parse(text, now=NOW, tools={}), limit=limit)

    def ids(self, text: str, limit: int) -> list[str]:
        return [hit.session_id for hit in self.hits(text, limit)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[133, 1000, 10_000])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for prose in (False, True):
            sessions = data.sessions_of(arguments.folder, prose=prose)
            ours = Ours(Path(scratch, f"prose-{prose}"), sessions)
            found(ours, sessions, data.commits(arguments.folder), prose=prose)
            declined(ours, sessions)
        questions(arguments.folder, Path(scratch))
        speed(arguments.sizes, Path(scratch))


def found(
    ours: Ours, sessions: list[Session], asked: list[Asked], *, prose: bool
) -> None:
    what = "prompts, files and the assistant's prose" if prose else "prompts and files"
    print(f"\n### Commit subject to session: {len(sessions)} sessions, {what}\n")
    print("| ranking | R@1 | R@5 | R@10 | MRR |\n|---|---|---|---|---|")
    rankings: dict[str, Ranking] = {
        "gitmem, with its threshold": ours,
        "gitmem, everything that matches": _Unlimited(ours),
        "Tantivy BM25, best field of each word": Bm25(sessions, best_field=True),
        "Tantivy BM25, sum of the fields": Bm25(sessions, best_field=False),
        "SQLite FTS5": Fts5(sessions),
    }
    for name, rival in rankings.items():
        figures = _recall(rival, asked)
        print(f"| {name} | " + " | ".join(f"{100 * x:.1f}" for x in figures) + " |")


def declined(ours: Ours, sessions: list[Session]) -> None:
    strangers = data.foreign(300)
    none = sum(not ours.ids(text, 5) for text in strangers)
    known = data.own_words(sessions, 300)
    reached = sum(asked.gold <= {*ours.ids(asked.text, 5)} for asked in known)
    print(f"\nforeign queries that find nothing: {none / len(strangers):.0%}")
    print(f"three rare words of a session find it: {reached / len(known):.1%}")


def questions(folder: Path, scratch: Path) -> None:
    recalls = []
    for number, (sessions, asked) in enumerate(data.conversations(folder)):
        ours = _Unlimited(Ours(scratch / f"talk-{number}", sessions))
        recalls += [
            [len(one.gold & {*ours.ids(one.text, k)}) / len(one.gold) for k in (5, 10)]
            for one in asked
        ]
    if recalls:
        five, ten = (
            sum(column) / len(recalls) for column in zip(*recalls, strict=True)
        )
        print(f"\nLoCoMo, {len(recalls)} questions: R@5 {five:.1%}, R@10 {ten:.1%}")


def speed(sizes: Iterable[int], scratch: Path) -> None:
    print("\n### Speed, in milliseconds (p50 / p99)\n")
    print(
        "| sessions | build | one change | cold open and search | query | FTS5 query |"
    )
    print("|---|---|---|---|---|---|")
    for size in sizes:
        sessions = list(data.made(size))
        began = time.perf_counter()
        ours = Ours(scratch / f"made-{size}", sessions)
        build = 1000 * (time.perf_counter() - began)
        changes = _changes(ours, sessions[:30])
        texts = [" ".join(s.work_summary[0].split()[:6]) for s in sessions[:300]]
        queries = [_milliseconds(partial(ours.hits, text, 5)) for text in texts]
        rival = Fts5(sessions)
        fts5 = [_milliseconds(partial(rival.ids, text, 5)) for text in texts]
        print(
            f"| {size:,} | {build:.0f} | {_spread(changes)} | {_cold(ours.folder):.0f}"
            f" | {_spread(queries)} | {_spread(fts5)} |"
        )


def _changes(ours: Ours, sessions: Sequence[Session]) -> list[float]:
    return [
        _milliseconds(partial(ours.learn, session.id, [session], since="before"))
        for session in sessions
    ]


class _Unlimited:
    """Our ranking without the threshold, so that nothing but the order counts."""

    def __init__(self, ours: Ours) -> None:
        self._ours = ours

    def ids(self, text: str, limit: int) -> list[str]:
        with _threshold(0.0):
            return self._ours.ids(text, limit)


@contextmanager
def _threshold(value: float) -> Iterator[None]:
    kept = ranking.THRESHOLD
    _set_threshold(value)
    try:
        yield
    finally:
        _set_threshold(kept)


def _set_threshold(value: float) -> None:
    setattr(ranking, "THRESHOLD", value)  # noqa: B010 - a constant to everybody else


def _recall(rival: Ranking, asked: list[Asked]) -> tuple[float, ...]:
    """R@1, R@5, R@10 (the share of gold found) and mean reciprocal rank."""
    sums = [0.0] * 4
    for one in asked:
        ids = rival.ids(one.text, 10)
        for column, k in enumerate((1, 5, 10)):
            sums[column] += len(one.gold & {*ids[:k]}) / len(one.gold)
        ranks = [rank for rank, id_ in enumerate(ids, 1) if id_ in one.gold]
        sums[3] += 1 / ranks[0] if ranks else 0.0
    return tuple(total / len(asked) for total in sums)


def _cold(folder: Path) -> float:
    """A new process that opens the index and searches once; the best of five."""
    code = (
        "import sys; from pathlib import Path; from datetime import datetime, UTC;"
        "from gitmem.search.index import Index; from gitmem.search.query import parse;"
        "f = Path(sys.argv[1]); i = Index.open(f / 'index', f / 'lock');"
        "i.search(parse('return the length', now=datetime.now(UTC), tools={}), limit=5)"
    )
    run = [sys.executable, "-c", code, str(folder)]
    return min(_milliseconds(lambda: subprocess.run(run, check=True)) for _ in range(5))


def _milliseconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _spread(figures: list[float]) -> str:
    ordered = sorted(figures)
    return f"{ordered[len(ordered) // 2]:.2f} / {ordered[len(ordered) * 99 // 100]:.2f}"


if __name__ == "__main__":
    main()
