"""Whether a query that no session answers finds nothing, and what is there is found.

Corpora are a few real sessions, all real ones, and these among many made ones.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from bench import data, made
from bench.data import Asked, Kept
from bench.measures import Estimate, balanced, estimate, table
from bench.ours import Ours
from bench.wording import is_telling, tokens

from gitmem.model.session import GoalSource
from gitmem.search.index import Hit

FEW, DRAWS = 5, 10
"""Sessions of a small corpus, and how many such corpora are drawn."""
EXAMPLES = 3
"""Answered queries that are shown, of each kind and corpus."""


class Indexed(NamedTuple):
    ours: Ours
    kept: Iterable[Kept]
    """What is in it; to be gone through more than once."""


def unrelated(folder: Path, other: Path | None) -> dict[str, list[str]]:
    """Queries of another world than the sessions', by where they are from.

    `other` holds transcripts of another project as SpecStory writes them.
    """
    asked = [one.text for corpus in data.locomo(folder) for one in corpus.asked]
    prompts = list(_prompts(other)) if other else []
    found = {
        "typed, of other kinds of projects": typed(),
        "sentences of Python's documentation": made.strangers(300),
        "questions of LoCoMo": asked,
        "prompts and commits of another project": prompts,
    }
    return {kind: texts for kind, texts in found.items() if texts}


def typed() -> list[str]:
    """What developers of shops, games, models, firmware, compilers would ask."""
    return Path(__file__).with_name("unrelated.txt").read_text("utf-8").splitlines()


def abstention(
    queries: Mapping[str, Sequence[str]], corpora: Mapping[str, Sequence[Indexed]]
) -> None:
    """The share of unrelated queries that find nothing."""
    silences = {
        kind: [[_silence(text, among) for text in texts] for among in corpora.values()]
        for kind, texts in queries.items()
    }
    by_size = list(zip(*silences.values(), strict=True))
    number = sum(map(len, queries.values()))
    table(
        "Unrelated queries that find nothing",
        ["queries", "number", *(f"{size} sessions" for size in corpora)],
        [
            *(
                [kind, len(columns[0]), *map(estimate, columns)]
                for kind, columns in silences.items()
            ),
            [
                "every query counts alike",
                number,
                *(estimate([*chain(*of)]) for of in by_size),
            ],
            ["every kind counts alike", number, *map(balanced, by_size)],
        ],
    )


def answered(
    queries: Mapping[str, Sequence[str]], corpora: Mapping[str, Sequence[Indexed]]
) -> None:
    """The first unrelated queries of each kind that found something, and what."""
    table(
        "Unrelated queries that find something",
        ["queries", "sessions", "query", "found", "score"],
        (
            [kind, size, f"`{text}`", f"`{hit.goal[:60]}`", f"{hit.score:.2f}"]
            for kind, texts in queries.items()
            for size, among in corpora.items()
            for text, hit in islice(_answers(texts, among), EXAMPLES)
        ),
    )


def own_words(corpora: Mapping[str, Sequence[Indexed]], count: int) -> None:
    """Three distinctive words of a session, to be found among five hits."""
    rows = ([name, *_reached(among, count)] for name, among in corpora.items())
    header = ["sessions", "queries", "among the first five", "first"]
    table("Three distinctive words of a session", header, rows)


def few(kept: Sequence[Kept]) -> Iterator[list[Kept]]:
    """Small corpora of neighbours in time, as they are soon after installing."""
    ordered = sorted(kept, key=lambda one: (one.session.started_at, one.id))
    for number in range(DRAWS):
        begin = number * (len(ordered) - FEW) // max(1, DRAWS - 1)
        yield ordered[begin : begin + FEW]


def three_words(sessions: Iterable[Kept], count: int) -> list[Asked]:
    """Three words of one session that at most three sessions have.

    Half are asked of real sessions, where made ones are among them.
    """
    spread = Counter(word for one in sessions for word in _words_of(one))
    real, invented = _ids(sessions)
    chance = random.Random(2)
    chosen = Counter(chance.choices(real, k=count - (count // 2 if invented else 0)))
    if invented:
        chosen.update(chance.choices(invented, k=count // 2))
    asked: list[Asked] = []
    for one in sessions:
        if not chosen[one.id]:
            continue
        rare = [word for word in _words_of(one) if spread[word] <= 3]
        if len(rare) >= 3:
            texts = _samples(sorted(rare), chosen[one.id], chance)
            asked += (Asked(text, frozenset([one.id])) for text in texts)
    return asked


def _samples(words: list[str], count: int, chance: random.Random) -> list[str]:
    return [" ".join(chance.sample(words, 3)) for _ in range(count)]


def _silence(text: str, among: Sequence[Indexed]) -> float:
    return sum(not one.ours.ids(text, 1) for one in among) / len(among)


def _answers(
    texts: Iterable[str], among: Sequence[Indexed]
) -> Iterator[tuple[str, Hit]]:
    for text in texts:
        for one in among:
            if hits := one.ours.hits(text, 1):
                yield text, hits[0]
                break


def _reached(among: Sequence[Indexed], count: int) -> tuple[int, Estimate, Estimate]:
    five, first = [], []
    for ours, sessions in among:
        for one in three_words(sessions, count // len(among)):
            ids = ours.ids(one.text, 5)
            five.append(float(one.gold <= {*ids}))
            first.append(float(one.gold == {*ids[:1]}))
    return len(five), estimate(five), estimate(first)


def _ids(sessions: Iterable[Kept]) -> tuple[list[str], list[str]]:
    real: list[str] = []
    invented: list[str] = []
    for one in sessions:
        (invented if one.session.project == "made" else real).append(one.id)
    return real, invented


def _words_of(kept: Kept) -> set[str]:
    """Without those of prompts and derived goals: what is cut there is no word."""
    session = kept.session
    texts = [
        session.goal if session.goal_source is GoalSource.WRITTEN else "",
        *session.work_completed,
        *session.work_pending,
        *session.decisions,
        *session.work_summary,
        *(file.path for file in session.files),
        *(turn.text for turn in kept.turns),
    ]
    return {*filter(is_telling, map(str.casefold, tokens("\n".join(texts))))}


def _prompts(folder: Path) -> Iterator[str]:
    """What a person typed there, the first line of it, and subjects of commits."""
    for path in sorted(folder.glob("*.md")):
        text = path.read_text("utf-8")
        said = re.findall(r"^_\*\*User\*\*_\n\n(.+)", text, re.MULTILINE)
        subjects = re.findall(r"git commit -m [\"'](.+?)[\"'\n]", text)
        for line in dict.fromkeys([*said, *subjects]):
            if len(line.split()) >= 3:
                yield line[:300]
