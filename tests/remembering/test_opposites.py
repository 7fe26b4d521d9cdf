"""Statements of which one denies, turns around or corrects the other."""

from pathlib import Path
from typing import Any

from cli.running import Ocm
from remembering.saying import found, say, texts
from support.rounds import every_row, few

from gitmem.documents.memory.memory import Category, ids_of
from gitmem.search.likeness import has_other_value, opposes, says_same
from gitmem.workspace import Workspace

FIXTURES = Path(__file__).parents[1] / "fixtures" / "memories"


def pairs_in(name: str) -> list[tuple[str, ...]]:
    rows = (FIXTURES / name).read_text("utf-8").splitlines()
    return [tuple(row.split(" | ")) for row in rows]


OPPOSITES, RESTATED = pairs_in("opposites.txt"), pairs_in("restated.txt")


def is_denied(known: str, new: str) -> bool:
    return opposes(known, new) or has_other_value(known, new)


@every_row(("one", "other"), OPPOSITES)
def test_opposites_are_not_the_same(one: str, other: str) -> None:
    assert not says_same(one, other)
    assert not says_same(other, one)


def test_most_opposites_are_known_for_that() -> None:
    unknown = [pair for pair in OPPOSITES if not is_denied(*pair)]
    assert len(unknown) <= 3, unknown


@every_row(("one", "other"), RESTATED)
def test_what_is_said_in_other_words_is_the_same(one: str, other: str) -> None:
    assert says_same(one, other)
    assert says_same(other, one)
    assert not is_denied(one, other)


def test_symbols_tell_statements_apart() -> None:
    for one, other in (("a < b", "a > b"), ("x is -1", "x is 1"), ("C++ it", "C# it")):
        assert next(ids_of(one, "")) != next(ids_of(other, ""))


@few(2, "kind", [*Category])
def test_an_opposite_is_never_merged(workspace: Workspace, kind: Category) -> None:
    known = say(workspace, "Ada uses tabs in Go.", kind=kind).memory
    kept = say(workspace, "Ada does not use tabs in Go.", kind=kind)
    (like,) = kept.similar
    assert like.proposal in ("contradict", "supersede")
    both = [hit.memory.id for hit in found(workspace, "tabs in Go")]
    assert both == [kept.memory.id, known.id]


def test_both_are_shown_and_the_older_one_is_past(ocm: Ocm) -> None:
    for text in ("Use tabs here.", "Do not use tabs here.", "Use tabs here."):
        ocm("remember", text)
    first, second = ocm("recall", "tabs", "--json").json["result"]
    assert (first["text"], "corrected" in first) == ("Use tabs here.", False)
    assert second["corrected"].endswith("; now: Use tabs here.)")
    assert "now: Use tabs here.)" in ocm("recall", "tabs").text
    assert ocm("memories", "--duplicates", "--yes").status == 0
    assert len(ocm("recall", "tabs", "--json").json["result"]) == 2


def test_a_session_corrects_a_memory_that_answers_alone(ocm: Ocm) -> None:
    ocm("remember", "Invoices are cached in Redis by pay/cache.py.")
    decided = (
        "cache.py: we went back to a dictionary, no longer caching invoices there."
    )
    ocm("checkpoint", "--goal", "Simplify", "--decision", decided)
    (hit,) = ocm("recall", "Redis", "--json").json["result"]
    assert "went back to a dictionary" in hit["corrected"]


def test_one_that_may_differ_is_past_where_it_is_contradicted(
    workspace: Workspace,
) -> None:
    known = say(workspace, "The cache is Redis.", kind="architecture").memory
    new = say(workspace, "Valkey here.", replaces=known.id, relation="contradict")
    marks = {hit.memory.id: hit.correction for hit in found(workspace)}
    assert marks[new.memory.id] is None
    assert marks[known.id]


def test_a_replacement_has_what_it_does_not_say(workspace: Workspace) -> None:
    given: dict[str, Any] = {
        "kind": "convention",
        "key": "indent",
        "files": ["file.txt"],
    }
    old = say(workspace, "Use tabs.", **given, scope="user").memory
    new = say(workspace, "Use two spaces.", replaces=old.id)
    assert (new.action, new.memory.kind, new.memory.key) == (
        "superseded", Category.CONVENTION, "indent"
    )  # fmt: skip
    assert texts(workspace, scope="user") == ["Use two spaces."]
    fact = say(workspace, "Indent by four.", replaces=new.memory.id, kind="fact").memory
    assert (fact.kind, fact.key) == (Category.FACT, "indent")
