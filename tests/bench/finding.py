"""Whether the right session is found."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bench import data
from bench.data import Corpus
from bench.measures import Found, Ranking, difference, estimate, found, spread, table
from bench.ours import Ours
from bench.rivals import Bm25, Fts5, Newest, Passages

_BASE = "flat passages"
_MEASURES: dict[str, Callable[[Found], float]] = {
    "R@1": lambda found: found.first,
    "R@5": lambda found: found.five,
    "R@10": lambda found: found.ten,
    "MRR": lambda found: found.reciprocal,
}

Rankings = Callable[[Ours, Corpus], dict[str, Ranking]]
Results = Mapping[str, Sequence[Found]]


def commits(corpora: Mapping[str, Corpus], scratch: Path, *, rivals: bool) -> None:
    """Commit subject to session: each row of the data by itself, then as imported."""
    for name, rows in corpora.items():
        for what, corpus in (
            ("each row of the data a session", rows),
            ("rows of one client id one session", data.conversations(rows)),
        ):
            title = f"Commit subject to session, {name}, {what}"
            where = scratch / title.replace("/", "-")
            asked = _results([corpus], where, _all if rivals else _near)
            _compare(f"{title} ({_size(corpus)})", asked)


def continuation(corpora: Mapping[str, Corpus], scratch: Path) -> None:
    """First prompt of a session to the session before on its branch.

    A prompt is not typed for a search: its quotes and paths are pasted, so they are
    words and no filters.
    """
    for name, corpus in corpora.items():
        earlier = list(data.continuations(data.conversations(corpus).kept))
        if earlier:
            where = scratch / f"{name}-continued"
            results = _results(earlier, where, _in_time, filters=False)
            results["any, by chance"] = [_chance(len(one.kept)) for one in earlier]
            _compare(f"Continuation, {name} ({len(earlier)} queries)", results)


def locomo(folder: Path, scratch: Path) -> None:
    """Questions about conversations of people, an index for each of these.

    A date in them is that of something told, so they ask with words and no filter.
    """
    corpora = list(data.locomo(folder))
    kinds = [one.kind for corpus in corpora for one in corpus.asked]
    results = _results(corpora, scratch / "locomo", _near, filters=False)
    header = ["questions", "number", *(f"{name}: R@5 / R@10" for name in results)]
    table("LoCoMo, asked in words", header, _by_kind(kinds, results))


def _near(ours: Ours, corpus: Corpus) -> dict[str, Ranking]:
    return {
        "ours": ours,
        _BASE: Passages(corpus.kept),
    }


def _all(ours: Ours, corpus: Corpus) -> dict[str, Ranking]:
    return {
        **_near(ours, corpus),
        "Tantivy BM25, best field of each word": Bm25(corpus.kept, best_field=True),
        "Tantivy BM25, sum of the fields": Bm25(corpus.kept, best_field=False),
        "SQLite FTS5": Fts5(corpus.kept),
    }


def _in_time(ours: Ours, corpus: Corpus) -> dict[str, Ranking]:
    return {**_near(ours, corpus), "the newest first": Newest(corpus.kept)}


def _results(
    corpora: Iterable[Corpus], where: Path, rankings: Rankings, *, filters: bool = True
) -> dict[str, list[Found]]:
    """What each ranking finds in all corpora, one after the other."""
    results: dict[str, list[Found]] = {}
    for number, corpus in enumerate(corpora):
        folder = where / f"{number}"
        ours = Ours(folder, corpus.kept, now=corpus.now, filters=filters)
        for name, ranking in rankings(ours, corpus).items():
            results.setdefault(name, []).extend(found(ranking, corpus.asked))
    return results


def _chance(sessions: int) -> Found:
    """What all orders of so many sessions reach on average."""
    first, five, ten = (min(1, most / sessions) for most in (1, 5, 10))
    ranks = range(1, min(10, sessions) + 1)
    return Found(first, five, ten, sum(1 / rank for rank in ranks) / sessions, 0.0)


def _size(corpus: Corpus) -> str:
    return f"{len(corpus.kept)} sessions, {len(corpus.asked)} queries"


def _by_kind(kinds: Sequence[str], results: Results) -> Iterator[list[object]]:
    for kind in ["", *sorted(set(kinds))]:
        among = [at for at, one in enumerate(kinds) if kind in ("", one)]
        columns = (
            " / ".join(
                str(estimate([measure(founds[at]) for at in among]))
                for measure in (_MEASURES["R@5"], _MEASURES["R@10"])
            )
            for founds in results.values()
        )
        yield [kind or "all", len(among), *columns]


def _compare(title: str, results: Results) -> None:
    header = ["ranking", *_MEASURES, "ms (p50 / p99)"]
    table(title, header, map(_row, results, results.values()))
    header = ["difference in points", *_MEASURES]
    table(f"{title}: over {_BASE}", header, _over_base(results))


def _row(name: str, founds: Sequence[Found]) -> list[object]:
    figures = [estimate(list(map(of, founds))) for of in _MEASURES.values()]
    return [name, *figures, spread(one.milliseconds for one in founds)]


def _over_base(results: Results) -> Iterator[list[object]]:
    base = results[_BASE]
    for name, founds in results.items():
        if name != _BASE:
            yield [
                name,
                *(
                    difference(list(map(of, founds)), list(map(of, base)))
                    for of in _MEASURES.values()
                ),
            ]
