"""Whether the right session is found."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from bench import data
from bench.data import Corpus
from bench.measures import Found, Ranking, estimate, found, spread, table
from bench.ours import Ours
from bench.rivals import Fts5, Passages

_MEASURES: dict[str, Callable[[Found], float]] = {
    "R@1": lambda found: found.first,
    "R@5": lambda found: found.five,
    "R@10": lambda found: found.ten,
    "MRR": lambda found: found.reciprocal,
}

Rankings = Callable[[Ours, Corpus], dict[str, Ranking]]
Results = Mapping[str, Sequence[Found]]


def commits(rows: Corpus, scratch: Path) -> None:
    """Commit subject to session, rows of one client id as one session."""
    corpus = data.conversations(rows)
    header = ["ranking", *_MEASURES, "ms (p50 / p99)"]
    results = _results([corpus], scratch / "commits", _all)
    sizes = f"{len(corpus.kept)} sessions, {len(corpus.asked)} queries"
    title = f"Commit subject to session ({sizes})"
    table(title, header, map(_row, results, results.values()))


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
    return {"ours": ours, "flat passages": Passages(corpus.kept)}


def _all(ours: Ours, corpus: Corpus) -> dict[str, Ranking]:
    return {**_near(ours, corpus), "SQLite FTS5": Fts5(corpus.kept)}


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


def _row(name: str, founds: Sequence[Found]) -> list[object]:
    figures = [estimate(list(map(of, founds))) for of in _MEASURES.values()]
    return [name, *figures, spread(one.milliseconds for one in founds)]
