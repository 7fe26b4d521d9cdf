"""Whether the right session is found."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bench import data
from bench.data import Corpus
from bench.measures import Found, Ranking, difference, estimate, found, spread, table
from bench.ours import Ours, Unlimited
from bench.rivals import Bm25, Fts5, Passages

_BASE = "flat passages"
_MEASURES: dict[str, Callable[[Found], float]] = {
    "R@1": lambda found: found.first,
    "R@5": lambda found: found.five,
    "R@10": lambda found: found.ten,
    "MRR": lambda found: found.reciprocal,
}


def commits(corpora: Mapping[str, Corpus], scratch: Path, *, rivals: bool) -> None:
    """Commit subject to session."""
    for name, corpus in corpora.items():
        _compare(f"Commit subject to session: {name}", corpus, scratch, rivals=rivals)


def continuation(corpora: Mapping[str, Corpus], scratch: Path) -> None:
    """First prompt of a session to the session before on its branch."""
    for name, corpus in corpora.items():
        following = Corpus(corpus.kept, data.continuations(corpus.kept))
        if following.asked:
            _compare(f"Continuation: {name}", following, scratch, rivals=False)


def locomo(folder: Path, scratch: Path) -> None:
    """Questions about conversations of people, an index for each of these."""
    corpora = list(data.locomo(folder))
    kinds = [one.kind for corpus in corpora for one in corpus.asked]
    results: dict[str, list[Found]] = {}
    for number, corpus in enumerate(corpora):
        ours = Ours(scratch / f"locomo-{number}", corpus.kept, now=corpus.now)
        for name, ranking in _rankings(ours, corpus).items():
            results.setdefault(name, []).extend(found(ranking, corpus.asked))
    header = ["questions", "number", *(f"{name}: R@5 / R@10" for name in results)]
    table("LoCoMo", header, _by_kind(kinds, results))


def _by_kind(
    kinds: Sequence[str], results: Mapping[str, Sequence[Found]]
) -> Iterator[list[object]]:
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


def _compare(title: str, corpus: Corpus, scratch: Path, *, rivals: bool) -> None:
    ours = Ours(scratch / title.replace("/", "-"), corpus.kept, now=corpus.now)
    rankings = _rankings(ours, corpus)
    if rivals:
        rankings |= {
            "Tantivy BM25, best field of each word": Bm25(corpus.kept, best_field=True),
            "Tantivy BM25, sum of the fields": Bm25(corpus.kept, best_field=False),
            "SQLite FTS5": Fts5(corpus.kept),
        }
    results = {name: found(one, corpus.asked) for name, one in rankings.items()}
    title = f"{title} ({len(corpus.kept)} sessions, {len(corpus.asked)} queries)"
    header = ["ranking", *_MEASURES, "ms (p50 / p99)"]
    table(title, header, map(_row, results, results.values()))
    header = ["difference in points", *_MEASURES]
    table(f"{title}: over {_BASE}", header, _over_base(results))


def _rankings(ours: Ours, corpus: Corpus) -> dict[str, Ranking]:
    return {
        "ours": ours,
        "ours, no threshold": Unlimited(ours),
        _BASE: Passages(corpus.kept),
    }


def _row(name: str, founds: Sequence[Found]) -> list[object]:
    figures = [estimate(list(map(of, founds))) for of in _MEASURES.values()]
    return [name, *figures, spread(one.milliseconds for one in founds)]


def _over_base(results: Mapping[str, Sequence[Found]]) -> Iterator[list[object]]:
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
