"""Measures the search: what it finds, how it grades that, and how long it takes.

    python tests/bench/search_bench.py DATA_FOLDER [SECTION ...]

`bench.data` says what the folder holds. Without sections all are measured; the tables
are Markdown. Compare within one run: milliseconds differ between machines and hours.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, grades, index_cost, made, own_words, speed
from bench.data import Asked, Corpus, Kept
from bench.grades import Evidence
from bench.grown import grown
from bench.measures import figures, found, table
from bench.ours import Ours


class Bench:
    """The sections; what several of them need is made once."""

    def __init__(self, arguments: argparse.Namespace, scratch: Path) -> None:
        self._asked = arguments
        self._scratch = scratch
        self._real = [*data.sessions(arguments.folder)]
        self._whole = [*chain.from_iterable(map(data.sessions, arguments.among))]
        self._indexes = cache(self._made)

    def commits(self) -> None:
        """Find sessions by the subjects of their commits."""
        corpus = data.conversations(self._corpus)
        self._find("Commit subject to session", [corpus])

    def locomo(self) -> None:
        """Answer questions about conversations of people, with an index for each.

        A date in them is part of the story, so they ask with words and no filter.
        """
        corpora = data.locomo(self._asked.folder)
        self._find("LoCoMo, asked in words", corpora, filters=False)

    def _find(
        self, title: str, corpora: Iterable[Corpus], *, filters: bool = True
    ) -> None:
        results = []
        for number, corpus in enumerate(corpora):
            folder = self._scratch / f"{title}-{number}"
            ours = Ours(folder, corpus.kept, now=corpus.now, filters=filters)
            results += found(ours, corpus.asked)
        table(title, ["queries", "R@1", "R@5", "ms (p50 / p99)"], [figures(results)])

    def own_words(self) -> None:
        own_words.own_words(self._sized(), self._own, self._unrelated)

    def grades(self) -> None:
        corpora = {**self._graded(), **self._of_commits(), **self._of_locomo()}
        grades.curves(corpora)

    def speed(self) -> None:
        sizes = sorted({len(self._real), *self._sizes})
        corpora = {
            f"{size:,}, {what}": self._indexes(size, said=said)
            for size in sizes
            for what, said in (("with conversations", True), ("documents alone", False))
        }
        subjects = [one.text for one in self._corpus.asked[:200]]
        said = [one.work_summary[0] for one in made.sessions(200)]
        speed.searches(corpora, subjects + said)
        speed.upkeep(corpora)

    def cost(self) -> None:
        among = {
            f"{size:,}": _Among(self._real, size, self._others, said=True)
            for size in self._sizes
        }
        index_cost.costs(among)

    @property
    def _sizes(self) -> list[int]:
        if self._whole:
            return [len(self._real) + len(self._whole)]
        return list(self._asked.sizes)

    @cached_property
    def _corpus(self) -> Corpus:
        return data.commits(self._asked.folder)

    @cached_property
    def _own(self) -> list[Asked]:
        return data.own_words(self._asked.folder, self._asked.also)

    @cached_property
    def _unrelated(self) -> list[Asked]:
        return data.unrelated(self._asked.folder)

    def _graded(self) -> dict[str, Evidence]:
        return {
            name: grades.evidence(ours, self._own, self._unrelated)
            for name, ours in self._sized().items()
        }

    def _of_commits(self) -> dict[str, Evidence]:
        corpus = data.conversations(self._corpus)
        ours = Ours(self._scratch / "graded-commits", corpus.kept)
        return {"commits": grades.evidence(ours, corpus.asked, self._unrelated)}

    def _of_locomo(self) -> dict[str, Evidence]:
        """The questions about each conversation are strangers to the next."""
        corpora = [*data.locomo(self._asked.folder)]
        found = {}
        for number, corpus in enumerate(corpora):
            others = corpora[number - 1].asked if len(corpora) > 1 else self._unrelated
            folder = self._scratch / f"graded-locomo-{number}"
            ours = Ours(folder, corpus.kept, now=corpus.now, filters=False)
            name = f"LoCoMo {number + 1}"
            found[name] = grades.evidence(ours, corpus.asked, others)
        return found

    def _sized(self) -> dict[str, Ours]:
        sizes = sorted({len(self._real), *self._sizes})
        kept = [("", True), *([(", documents", False)] * self._asked.documents)]
        return {
            f"{size:,}{what}": self._indexes(size, said=said)
            for what, said in kept
            for size in sizes
        }

    def _made(self, size: int, *, said: bool) -> Ours:
        """The real sessions among others."""
        among = _Among(self._real, size, self._others, said=said)
        return Ours(self._scratch / f"{size}-{said}", among)

    def _others(self, count: int) -> Iterator[Kept]:
        if self._whole:
            return iter(self._whole[:count])
        if self._asked.grown:
            return grown(self._real, count, self._own)
        return made.kept(count)


class _Among:
    """Real sessions among so many others that they are `size`.

    Those are made or read again each time that they are gone through: a hundred
    thousand do not fit into memory.
    """

    def __init__(
        self,
        real: list[Kept],
        size: int,
        others: Callable[[int], Iterator[Kept]],
        *,
        said: bool,
    ) -> None:
        self._real = real
        self._others = others
        self._size = size
        self._said = said

    def __iter__(self) -> Iterator[Kept]:
        sessions = chain(self._real, self._others(self._size - len(self._real)))
        return sessions if self._said else (Kept(one.session) for one in sessions)


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "commits": Bench.commits,
    "locomo": Bench.locomo,
    "own-words": Bench.own_words,
    "grades": Bench.grades,
    "speed": Bench.speed,
    "cost": Bench.cost,
}


def main() -> None:
    arguments = _parser().parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(arguments, Path(scratch))
        for section in arguments.sections or SECTIONS:
            SECTIONS[section](bench)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "sections", nargs="*", choices=[*SECTIONS, []], metavar="SECTION"
    )
    parser.add_argument(
        "--grown", action="store_true", help="among sessions of real sentences"
    )
    parser.add_argument(
        "--among",
        type=Path,
        nargs="*",
        default=[],
        metavar="DATA_FOLDER",
        help="among the sessions of these folders, whole as they are; excludes --sizes",
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="*",
        default=[1_000, 10_000],
        help="how many sessions, real ones among others",
    )
    parser.add_argument(
        "--documents", action="store_true", help="also without the conversations"
    )
    parser.add_argument("--also", type=Path, help="other wordings of own words")
    return parser


if __name__ == "__main__":
    main()
