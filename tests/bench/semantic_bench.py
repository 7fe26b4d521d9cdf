"""Measures what a model of meaning adds to the search, and what it costs.

    python tests/bench/semantic_bench.py DATA_FOLDER MODEL_FOLDER

`bench.data` says what the data folder holds; the model is one that model2vec has saved
(`gitmem.search.semantic`). What is rescued is compared with what a lower threshold of
the words would find that leaves as many unrelated queries unanswered.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
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
from bench.ours import Ours, _threshold

from gitmem.model.changes import Told
from gitmem.search import ranking
from gitmem.search.passages import passages
from gitmem.search.semantic import MOST, WEAK, Meaning, load, rescued

_OTHER_WORDS = Path(__file__).with_name("other_words.jsonl")
_NOTHING = 2.0
"""A threshold that no score reaches."""

Way = Callable[["Judged"], list[str]]


@dataclass(frozen=True, slots=True)
class Judged:
    """One query: what words make of it, and what of that is near in meaning."""

    gold: frozenset[str]
    words: list[tuple[str, float]]
    """The sessions that words find, and their scores, best first."""
    every_word: list[str]
    """Those that are found whatever they score."""
    near: list[str]

    @property
    def best(self) -> float:
        return self.words[0][1] if self.words else 0.0

    def by_words(self, threshold: float) -> list[str]:
        if self.best >= threshold:
            return [id_ for id_, _ in self.words]
        return self.every_word

    def with_meaning(self, threshold: float) -> list[str]:
        weak = {id_ for id_, score in self.words if score >= WEAK * threshold}
        return self.by_words(threshold) or [id_ for id_ in self.near if id_ in weak]


class Place:
    """A corpus, asked by words and by meaning."""

    def __init__(self, corpus: Corpus, folder: Path, meaning: Meaning) -> None:
        self._ours = Ours(folder, corpus.kept, now=corpus.now)
        self._meaning = meaning
        self._passages = {
            one.id: [p.text for p in passages(Told(one.session, one.turns))]
            for one in corpus.kept
        }

    def judged(self, asked: Asked) -> Judged:
        with _threshold(0.0):
            hits = self._ours.hits(asked.text, MOST)
        with _threshold(_NOTHING):
            every_word = self._ours.ids(asked.text, MOST)
        weak = {hit.session_id: self._passages[hit.session_id] for hit in hits}
        near = [id_ for id_, _ in rescued(self._meaning, asked.text, weak)]
        words = [(hit.session_id, hit.score) for hit in hits]
        return Judged(asked.gold, words, every_word, near)

    def by_meaning(self, texts: Sequence[str]) -> Iterator[list[str]]:
        """All sessions by their nearest passage, for each text."""
        held = [(id_, one) for id_, ones in self._passages.items() for one in ones]
        for row in self._meaning.similarities(texts, [one for _, one in held]):
            best: dict[str, float] = {}
            for (id_, _), value in zip(held, row, strict=True):
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
    taken = [milliseconds(partial(place.judged, one)) for one in corpus.asked[:100]]
    print(f"\nA query with {MOST} sessions to look at takes {spread(taken)} ms.")


def _talking(folder: Path, scratch: Path, meaning: Meaning) -> None:
    subjects = [one.text for one in data.commits(folder).asked]
    for number, corpus in enumerate(data.locomo(folder), start=1):
        place = Place(corpus, scratch / f"talk-{number}", meaning)
        _alone(f"LoCoMo {number}", place, {"questions": corpus.asked})
        unrelated = {"commit subjects": subjects}
        _compare(f"LoCoMo {number}", place, {"questions": corpus.asked}, unrelated)


def _alone(title: str, place: Place, asked: Mapping[str, Sequence[Asked]]) -> None:
    def row(kind: str) -> list[object]:
        answers = [*place.by_meaning([one.text for one in asked[kind]])]
        golds = [one.gold for one in asked[kind]]
        recalls = [[*map(_recall(most), golds, answers)] for most in (1, 5)]
        return [kind, *map(estimate, recalls)]

    table(f"{title}: by meaning alone", ["queries", "R@1", "R@5"], map(row, asked))


def _compare(
    title: str,
    place: Place,
    asked: Mapping[str, Sequence[Asked]],
    unrelated: Mapping[str, Sequence[str]],
) -> None:
    true = {kind: [*map(place.judged, ones)] for kind, ones in asked.items()}
    foreign = {
        kind: [place.judged(Asked(text, frozenset())) for text in texts]
        for kind, texts in unrelated.items()
    }
    header = ["queries", "words", "with meaning", "lower threshold", "won"]
    rows = _rows(ranking.THRESHOLD, true, foreign)
    table(f"{title}: R@5, and unrelated queries left unanswered", header, rows)


def _rows(
    threshold: float,
    true: Mapping[str, Sequence[Judged]],
    foreign: Mapping[str, Sequence[Judged]],
) -> Iterator[list[object]]:
    def with_meaning(one: Judged) -> list[str]:
        return one.with_meaning(threshold)

    everything = [one for ones in foreign.values() for one in ones]
    silence = _silence(everything, with_meaning)
    lower = _threshold_for(everything, sum(silence) / len(silence))
    ways: list[Way] = [
        lambda one: one.by_words(threshold),
        with_meaning,
        lambda one: one.by_words(lower),
    ]
    for kind, ones in true.items():
        recalls = [[_five(one.gold, way(one)) for one in ones] for way in ways]
        yield [kind, *map(estimate, recalls), difference(recalls[1], recalls[2])]
    for kind, ones in foreign.items():
        yield [kind, *(estimate(_silence(ones, way)) for way in ways), ""]


def _threshold_for(foreign: Sequence[Judged], share: float) -> float:
    """The lowest from which words leave that share of the queries unanswered."""
    best = sorted(_NOTHING if one.every_word else one.best for one in foreign)
    at = min(round(share * len(best)), len(best)) - 1
    return best[max(at, 0)] + 1e-9


def _silence(ones: Iterable[Judged], way: Way) -> list[float]:
    return [float(not way(one)) for one in ones]


def _recall(most: int) -> Callable[[frozenset[str], Sequence[str]], float]:
    return lambda gold, ids: len(gold & {*ids[:most]}) / len(gold)


_five = _recall(5)


def _reworded(folder: Path) -> Iterator[Asked]:
    """Commits, asked for in words that their subjects do not have."""
    with (folder / "queries.jsonl").open(encoding="utf-8") as lines:
        gold = {row["sha"]: row["gold"] for row in map(json.loads, lines)}
    for row in map(json.loads, _OTHER_WORDS.read_text("utf-8").splitlines()):
        if row["sha"] in gold:
            yield Asked(row["text"], frozenset(gold[row["sha"]]))


if __name__ == "__main__":
    main()
