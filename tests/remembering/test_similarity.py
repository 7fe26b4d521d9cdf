"""What is held for the same, and for an update: measured on pairs of statements.

Each pair has a known statement and a new one, and says what the new one is: the `same`
in other words, `more`, an `update` of a value, or an`other` matter. The thresholds were
chosen on the pairs of one file, and held against the other.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from gitmem.documents.memory.memory import Memory, Relate, proposal
from gitmem.search.likeness import is_same_matter, says_same, stems_of, words_of
from gitmem.text.calendar import read_time

NOON = read_time("2026-02-23T12:00:00+00:00")


class Pair(NamedTuple):
    label: str
    known: str
    new: str


def pairs_in(name: str) -> list[Pair]:
    folder = Path(__file__).parents[1] / "fixtures" / "memories"
    rows = (folder / name).read_text("utf-8").splitlines()
    return [Pair(*row.split(" | ")) for row in rows]


PAIRS, HELD_OUT = pairs_in("pairs.txt"), pairs_in("held_out.txt")


def measured(
    pairs: list[Pair], is_found: Callable[[Pair], bool], right: set[str]
) -> tuple[float, float]:
    """Precision and recall of what is found, where these labels are right."""
    found = [pair for pair in pairs if is_found(pair)]
    hits = sum(pair.label in right for pair in found)
    return hits / len(found), hits / sum(pair.label in right for pair in pairs)


def is_same(pair: Pair) -> bool:
    return says_same(pair.known, pair.new)


def is_matter(pair: Pair) -> bool:
    return is_same_matter(stems_of(pair.known), stems_of(pair.new))


def test_there_are_enough_pairs_of_each_kind() -> None:
    assert len(PAIRS) >= 120
    for label in ("same", "more", "update", "other"):
        assert sum(pair.label == label for pair in HELD_OUT) == 8


@pytest.mark.parametrize("pairs", [PAIRS, HELD_OUT], ids=["all", "held out"])
def test_one_matter_is_told_from_another(pairs: list[Pair]) -> None:
    precision, recall = measured(pairs, is_matter, {"same", "more", "update"})
    print(f"one matter: precision {precision:.2f}, recall {recall:.2f}")
    assert precision >= 0.93
    assert recall >= 0.9


@pytest.mark.parametrize("pairs", [PAIRS, HELD_OUT], ids=["all", "held out"])
def test_what_is_shown_once_says_the_same(pairs: list[Pair]) -> None:
    precision, recall = measured(pairs, is_same, {"same"})
    print(f"the same: precision {precision:.2f}, recall {recall:.2f}")
    assert precision >= 0.9
    assert recall >= 0.3
    assert not any(is_same(pair) for pair in pairs if pair.label in {"update", "other"})


def test_an_addition_is_merged_and_an_update_supersedes() -> None:
    def proposed(pair: Pair) -> Relate:
        known = Memory(id="", text=pair.known, created_at=NOON, updated_at=NOON)
        return proposal(known, is_part=words_of(pair.known) <= words_of(pair.new))

    for label, right in (("more", Relate.MERGE), ("update", Relate.SUPERSEDE)):
        pairs = [each for each in (*PAIRS, *HELD_OUT) if each.label == label]
        share = sum(proposed(pair) is right for pair in pairs) / len(pairs)
        print(f"{label}: {share:.2f} are proposed to {right}")
        assert share >= 0.95


def test_a_statement_about_other_tests_is_no_update() -> None:
    known = "The integration tests need a running Postgres server."
    new = stems_of("Tests need Postgres 17.")
    assert not is_same_matter(stems_of(known), new)
    assert is_same_matter(stems_of("Tests need Postgres 16."), new)
