"""Whether the right session is found, beside other rankings."""

from collections.abc import Iterable
from pathlib import Path

from bench import data
from bench.data import Corpus
from bench.measures import Found, Ranking, figures, found, table
from bench.ours import Ours
from bench.rivals import Fts5, Passages


def commits(rows: Corpus, scratch: Path) -> None:
    """Commit subject to session, rows of one client id as one session."""
    corpus = data.conversations(rows)
    _compare("Commit subject to session", [corpus], scratch / "commits")


def locomo(folder: Path, scratch: Path) -> None:
    """Questions about conversations of people, an index for each of these.

    A date in them is that of something told, so they ask with words and no filter.
    """
    corpora = data.locomo(folder)
    _compare("LoCoMo, asked in words", corpora, scratch / "locomo", filters=False)


def _compare(
    title: str, corpora: Iterable[Corpus], where: Path, *, filters: bool = True
) -> None:
    """What each ranking finds in all corpora, one after the other."""
    results: dict[str, list[Found]] = {}
    for number, corpus in enumerate(corpora):
        folder = where / f"{number}"
        rankings: dict[str, Ranking] = {
            "ours": Ours(folder, corpus.kept, now=corpus.now, filters=filters),
            "flat passages": Passages(corpus.kept),
            "SQLite FTS5": Fts5(corpus.kept),
        }
        for name, ranking in rankings.items():
            results.setdefault(name, []).extend(found(ranking, corpus.asked))
    header = ["ranking", "queries", "R@1", "R@5", "ms (p50 / p99)"]
    table(title, header, ([name, *figures(each)] for name, each in results.items()))
