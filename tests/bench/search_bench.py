"""Measures the search: what it finds, how it grades that, and how long it takes.

    python tests/bench/search_bench.py DATA_FOLDER [SECTION ...]

`bench.data` says what the folder holds. Without sections all are measured; the tables
are Markdown. Compare within one run: milliseconds differ between machines and hours.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import chain, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, distinctive, finding, grades, made, own_words, speed
from bench.data import Asked, Corpus, Kept
from bench.grades import Evidence
from bench.ours import Ours

DRAWS = 10
"""How many corpora of neighbours in time are drawn for a size below the real one."""


class Bench:
    """The sections; what several of them need is made once."""

    def __init__(self, arguments: argparse.Namespace, scratch: Path) -> None:
        self._asked = arguments
        self._scratch = scratch
        self._real = [*data.sessions(arguments.folder)]
        self._indexes = cache(self._made)

    def commits(self) -> None:
        rivals = not self._asked.no_rivals
        finding.commits(self._corpora, self._scratch, rivals=rivals)

    def locomo(self) -> None:
        finding.locomo(self._asked.folder, self._scratch)

    def continuation(self) -> None:
        finding.continuation(self._corpora, self._scratch)

    def own_words(self) -> None:
        own_words.own_words(self._sized(), self._own, self._unrelated)

    def distinctive(self) -> None:
        count = self._asked.queries
        distinctive.distinctive(self._sized(), count, len(self._real))

    def grades(self) -> None:
        corpora = {**self._graded(), **self._of_commits(), **self._of_locomo()}
        grades.curves(corpora)
        grades.leave_one_out(corpora)

    def speed(self) -> None:
        sizes = sorted({len(self._real), 1000, *self._asked.sizes})
        corpora = {
            f"{size:,}, {what}": self._indexes(size, said=said)[0]
            for size in sizes
            if size >= len(self._real)
            for what, said in (("with conversations", True), ("documents alone", False))
        }
        subjects = [one.text for one in self._corpus.asked[:200]]
        said = [one.work_summary[0] for one in made.sessions(200)]
        speed.searches(corpora, subjects + said)
        speed.upkeep(corpora)

    @property
    def _corpus(self) -> Corpus:
        return next(iter(self._corpora.values()))

    @cached_property
    def _corpora(self) -> dict[str, Corpus]:
        folder, later = self._asked.folder, self._asked.later
        found = {folder.name: data.commits(folder)}
        if later:
            found[later.name] = data.commits(later)
            found["both"] = data.commits(folder, later)
        return found

    @cached_property
    def _own(self) -> list[Asked]:
        return data.own_words(self._asked.folder, self._asked.also)

    @cached_property
    def _unrelated(self) -> list[Asked]:
        return data.unrelated(self._asked.folder, self._asked.unrelated_also)

    def _graded(self) -> dict[str, Evidence]:
        return {
            name: grades.evidence("own words", among, self._own, self._unrelated)
            for name, among in self._sized().items()
        }

    def _of_commits(self) -> dict[str, Evidence]:
        corpus = data.conversations(self._corpus)
        ours = Ours(self._scratch / "graded-commits", corpus.kept)
        found = grades.evidence("commits", [ours], corpus.asked, self._unrelated)
        return {"commits": found}

    def _of_locomo(self) -> dict[str, Evidence]:
        """The questions about each conversation are strangers to the next."""
        corpora = [*data.locomo(self._asked.folder)]
        found = {}
        for number, corpus in enumerate(corpora):
            others = corpora[number - 1].asked if len(corpora) > 1 else self._unrelated
            folder = self._scratch / f"graded-locomo-{number}"
            ours = Ours(folder, corpus.kept, now=corpus.now, filters=False)
            name = f"LoCoMo {number + 1}"
            found[name] = grades.evidence("LoCoMo", [ours], corpus.asked, others)
        return found

    def _sized(self) -> dict[str, list[Ours]]:
        sizes = sorted({len(self._real), *self._asked.sizes})
        kept = [("", True), *([(", documents", False)] * self._asked.documents)]
        return {
            f"{size:,}{what}": self._indexes(size, said=said)
            for what, said in kept
            for size in sizes
        }

    def _made(self, size: int, *, said: bool) -> list[Ours]:
        """A few real sessions several times, all, or these among others."""
        real = [self._real]
        if size < len(self._real):
            real = [*distinctive.neighbours(self._real, size, DRAWS)]
        return [
            Ours(
                self._scratch / f"{size}-{said}-{number}",
                _Among(each, size, self._others, said=said),
            )
            for number, each in enumerate(real)
        ]

    def _others(self, count: int) -> Iterator[Kept]:
        grown = self._asked.grown
        return islice(data.recorded(grown), count) if grown else made.kept(count)


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
    "continuation": Bench.continuation,
    "own-words": Bench.own_words,
    "distinctive": Bench.distinctive,
    "grades": Bench.grades,
    "speed": Bench.speed,
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
        "--later", type=Path, help="another folder: measured too, and both as one"
    )
    parser.add_argument(
        "--grown", type=Path, help="sessions to measure among, in place of made ones"
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="*",
        default=[5, 10_000],
        help="how many sessions, real ones among others; some real ones where fewer",
    )
    parser.add_argument(
        "--documents", action="store_true", help="also without the conversations"
    )
    parser.add_argument("--also", type=Path, help="other wordings of own words")
    parser.add_argument("--unrelated-also", type=Path, help="and of unrelated ones")
    parser.add_argument("--queries", type=int, default=300, help="of three words")
    parser.add_argument("--no-rivals", action="store_true", help="the baseline alone")
    return parser


if __name__ == "__main__":
    main()
