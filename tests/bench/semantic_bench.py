"""Measures what a model of meaning adds to the search, and what it costs.

    python tests/bench/semantic_bench.py DATA_FOLDER MODEL_FOLDER

`bench.data` says what the data folder holds; the model is one that model2vec has saved
(`gitmem.search.semantic`). What meaning confirms is compared with what words alone
would find if less were enough, so that as many unrelated queries are left unanswered.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, compress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, declining, made
from bench.data import Asked, Corpus
from bench.measures import (
    difference,
    estimate,
    milliseconds,
    milliseconds_since,
    spread,
    table,
)
from bench.ours import Ours, constants

from gitmem.model.changes import Told
from gitmem.search import ranking
from gitmem.search.passages import passages
from gitmem.search.semantic import MOST, WEAK, Meaning, load, meant

_OTHER_WORDS = Path(__file__).with_name("other_words.jsonl")
_SHOWN = 5
_ANYTHING = -1.0
"""So little is enough that everything is an answer."""
_STEPS = 14
"""Halvings on the way to what is enough instead."""

Way = Callable[[str], list[str]]
"""From a query to the sessions that are shown."""


class Place:
    """A corpus, asked by words and by meaning."""

    def __init__(
        self, corpus: Corpus, folder: Path, meaning: Meaning, *, filters: bool = True
    ) -> None:
        self._ours = Ours(folder, corpus.kept, now=corpus.now, filters=filters)
        self._meaning = meaning
        self._passages = [
            (one.id, passage.text)
            for one in corpus.kept
            for passage in passages(Told(one.session, one.turns))
        ]

    def by_words(self, text: str) -> list[str]:
        return self._ours.ids(text, _SHOWN)

    def if_enough_were(self, evidence: float) -> Way:
        def way(text: str) -> list[str]:
            with constants(_ENOUGH=evidence):
                return self.by_words(text)

        return cache(way)

    def with_meaning(self, text: str) -> list[str]:
        return self.by_words(text) or self.confirmed(text)

    def confirmed(self, text: str) -> list[str]:
        weak = [hit for hit in self._ours.weak(text, MOST, WEAK) if hit.passage]
        judged = meant(self._meaning, text, [hit.passage for hit in weak])
        return [hit.session_id for hit in compress(weak, judged)][:_SHOWN]

    def by_meaning(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """All sessions by their nearest passage, for each text."""
        held = [text for _, text in self._passages]
        for row in self._meaning.similarities(texts, held):
            best: dict[str, float] = {}
            for (id_, _), value in zip(self._passages, row, strict=True):
                best[id_] = max(value, best.get(id_, -1.0))
            yield sorted(best, key=lambda id_: -best[id_])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("model", type=Path)
    asked = parser.parse_args()
    began = time.perf_counter()
    meaning = load(str(asked.model.resolve()), Path.home())
    print(f"The library and the model are read in {milliseconds_since(began):.0f} ms.")
    with tempfile.TemporaryDirectory() as scratch:
        _programming(asked.folder, Path(scratch), meaning)
        _talking(asked.folder, Path(scratch), meaning)


def _programming(folder: Path, scratch: Path, meaning: Meaning) -> None:
    corpus = data.commits(folder)
    place = Place(corpus, scratch / "commits", meaning)
    asked = {"commit subjects": corpus.asked, "in other words": [*_reworded(folder)]}
    unrelated = {
        "Python's documentation": made.strangers(300),
        "typed, of other kinds of projects": declining.typed(),
    }
    _alone("Commits", place, asked)
    _compare("Commits", place, asked, unrelated)
    _cost(place, corpus)


def _cost(place: Place, corpus: Corpus) -> None:
    texts = [one.text for one in corpus.asked if not place.by_words(one.text)]
    taken = [milliseconds(partial(place.confirmed, text)) for text in texts]
    print(f"\nAsking for meaning takes {spread(taken)} ms ({len(texts)} queries).")


def _talking(folder: Path, scratch: Path, meaning: Meaning) -> None:
    subjects = [one.text for one in data.commits(folder).asked]
    for number, corpus in enumerate(data.locomo(folder), start=1):
        place = Place(corpus, scratch / f"talk-{number}", meaning, filters=False)
        _alone(f"LoCoMo {number}", place, {"questions": corpus.asked})
        unrelated = {"commit subjects": subjects}
        _compare(f"LoCoMo {number}", place, {"questions": corpus.asked}, unrelated)


def _alone(title: str, place: Place, asked: Mapping[str, Sequence[Asked]]) -> None:
    def row(kind: str) -> list[object]:
        answers = [*place.by_meaning([one.text for one in asked[kind]])]
        golds = [one.gold for one in asked[kind]]
        recalls = [[*map(_recall(most), golds, answers)] for most in (1, _SHOWN)]
        return [kind, *map(estimate, recalls)]

    table(f"{title}: by meaning alone", ["queries", "R@1", "R@5"], map(row, asked))


def _compare(
    title: str,
    place: Place,
    asked: Mapping[str, Sequence[Asked]],
    unrelated: Mapping[str, Sequence[str]],
) -> None:
    everything = [*chain.from_iterable(unrelated.values())]
    silence = _silence(everything, place.with_meaning)
    enough = _enough_for(place, everything, sum(silence))
    print(f"\nAs many unrelated queries are answered where {enough:.3f} is enough.")
    ways = [place.by_words, place.with_meaning, place.if_enough_were(enough)]
    header = ["queries", "words", "with meaning", "if less were enough", "won"]
    rows = chain(_found(asked, ways), _unanswered(unrelated, ways))
    table(f"{title}: R@5, and unrelated queries left unanswered", header, rows)


def _found(
    asked: Mapping[str, Sequence[Asked]], ways: Sequence[Way]
) -> Iterator[list[object]]:
    for kind, ones in asked.items():
        recalls = [[_five(one.gold, way(one.text)) for one in ones] for way in ways]
        yield [kind, *map(estimate, recalls), difference(recalls[1], recalls[2])]


def _unanswered(
    unrelated: Mapping[str, Sequence[str]], ways: Sequence[Way]
) -> Iterator[list[object]]:
    for kind, texts in unrelated.items():
        yield [kind, *(estimate(_silence(texts, way)) for way in ways), ""]


def _enough_for(place: Place, texts: Sequence[str], silent: float) -> float:
    """The least evidence from which words leave so many queries unanswered."""
    low, high = _ANYTHING, ranking._ENOUGH
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if sum(_silence(texts, place.if_enough_were(middle))) >= silent:
            high = middle
        else:
            low = middle
    return high


def _silence(texts: Iterable[str], way: Way) -> list[float]:
    return [float(not way(text)) for text in texts]


def _recall(most: int) -> Callable[[frozenset[str], Sequence[str]], float]:
    return lambda gold, ids: len(gold & {*ids[:most]}) / len(gold)


_five = _recall(_SHOWN)


def _reworded(folder: Path) -> Iterator[Asked]:
    """Commits, asked for in words that their subjects do not have."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        gold = {row["sha"]: row["gold"] for row in map(json.loads, lines)}
    for row in map(json.loads, _OTHER_WORDS.read_text("utf-8").splitlines()):
        if row["sha"] in gold:
            yield Asked(row["text"], frozenset(gold[row["sha"]]))


if __name__ == "__main__":
    main()
