"""Measures the search: what it finds, what it declines, and how long that takes.

    python tests/bench/search_bench.py DATA_FOLDER [SECTION ...]

`bench.data` says what the folder holds. Without sections all are measured; the tables
are Markdown. Compare within one run: milliseconds differ between machines and hours.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import data, declining, finding, made, speed
from bench.data import Corpus, Kept
from bench.declining import FEW, Indexed
from bench.ours import Ours


class Bench:
    """The sections; what several of them need is made once."""

    def __init__(self, arguments: argparse.Namespace, scratch: Path) -> None:
        self._asked = arguments
        self._scratch = scratch
        self._indexed = cache(self._index)

    def commits(self) -> None:
        rivals = not self._asked.no_rivals
        finding.commits(self._corpora, self._scratch, rivals=rivals)

    def locomo(self) -> None:
        finding.locomo(self._asked.folder, self._scratch)

    def continuation(self) -> None:
        finding.continuation(self._corpora, self._scratch)

    def abstention(self) -> None:
        queries = declining.unrelated(self._asked.folder, self._asked.other)
        declining.abstention(queries, self._sized())
        if self._asked.examples:
            declining.answered(queries, self._sized())

    def own_words(self) -> None:
        declining.own_words(self._sized(), self._asked.queries)

    def speed(self) -> None:
        sizes = sorted({len(self._corpus.kept), 1000, *self._asked.sizes})
        corpora = {
            f"{size:,}, {what}": self._indexed(size, said=said)
            for size in sizes
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

    def _sized(self) -> dict[str, list[Indexed]]:
        """A few sessions several times, the real ones, and those among made ones."""
        sizes = [len(self._corpus.kept), *self._asked.sizes]
        return {
            f"{FEW}": self._few,
            **{f"{size:,}": [self._indexed(size)] for size in sizes},
        }

    @cached_property
    def _few(self) -> list[Indexed]:
        return [
            Indexed(Ours(self._scratch / f"few-{number}", kept), kept)
            for number, kept in enumerate(declining.few(self._corpus.kept))
        ]

    def _index(self, size: int, *, said: bool = True) -> Indexed:
        sessions = _Among(self._corpus.kept, size, said=said)
        return Indexed(Ours(self._scratch / f"{size}-{said}", sessions), sessions)


class _Among:
    """Real sessions among so many made ones that they are `size`.

    They are made again each time that they are gone through: a hundred thousand do not
    fit into memory.
    """

    def __init__(self, real: list[Kept], size: int, *, said: bool) -> None:
        self._real = real
        self._size = size
        self._said = said

    def __iter__(self) -> Iterator[Kept]:
        sessions = chain(self._real, made.kept(self._size - len(self._real)))
        return sessions if self._said else (Kept(one.session) for one in sessions)


SECTIONS: dict[str, Callable[[Bench], None]] = {
    "commits": Bench.commits,
    "locomo": Bench.locomo,
    "continuation": Bench.continuation,
    "abstention": Bench.abstention,
    "own-words": Bench.own_words,
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
    parser.add_argument("sections", nargs="*", choices=SECTIONS, metavar="SECTION")
    parser.add_argument(
        "--later", type=Path, help="another folder: measured too, and both as one"
    )
    parser.add_argument(
        "--other", type=Path, help="SpecStory's transcripts of another project"
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="*",
        default=[10_000],
        help="sessions, real ones among made ones; 100000 is for all but speed",
    )
    parser.add_argument(
        "--examples", action="store_true", help="show unrelated queries that find some"
    )
    parser.add_argument("--queries", type=int, default=300, help="of own words")
    parser.add_argument("--no-rivals", action="store_true", help="the baseline alone")
    return parser


if __name__ == "__main__":
    main()
