"""Documents of several kinds in one index."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from search.builders import NOW, TOOLS, changed, found, hits, removed, session
from support.rounds import every_row

from gitmem.documents.changes import Changed, Changes
from gitmem.documents.index_entry import Field, IndexEntry, Role
from gitmem.search.documents import Hit
from gitmem.search.index import Index
from gitmem.search.queries.query import parse

SESSIONS = [
    session("one", goal="Feed the quokka", commits=()),
    session("two", goal="Wash the telescope", decisions=("quokka first",)),
]


def note(id_: str, text: str) -> IndexEntry:
    return IndexEntry(
        kind="note",
        id=id_,
        names=("called",),
        title=text,
        at=NOW,
        author="Ada",
        fields=(Field("text", Role.GOAL, (text,)),),
        passages=(text,),
    )


def noted(id_: str, text: str) -> Changed:
    return Changed("note", id_, partial(note, id_, text))


NOTES = [noted("one", "The zebra eats observatory grass"), noted("n2", "quokka " * 3)]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    return learnt(tmp_path, [*map(changed, SESSIONS), *NOTES])


def learnt(folder: Path, documents: list[Changed]) -> Index:
    index = Index.open(folder / "index", folder / "lock")
    learn(index, documents, "tip")
    return index


def learn(index: Index, documents: list[Changed], tip: str) -> None:
    index.catch_up(tip, lambda since: Changes(since, tip, len(documents), documents))


def notes(index: Index, text: str) -> list[Hit]:
    query = replace(parse(text, now=NOW, tools=TOOLS), kind="note")
    return index.search(query, limit=5)


def test_a_query_finds_one_kind(index: Index) -> None:
    assert found(index, "zebra observatory grass") == []
    assert [hit.id for hit in notes(index, "zebra grass")] == ["one"]
    assert found(index, "feed quokka") == ["one", "two"]
    assert [hit.id for hit in notes(index, "quokka")] == ["n2"]
    assert [hit.id for hit in notes(index, "author:ada today")] == ["n2", "one"]
    assert found(index, "today") == ["one", "two"]


def test_a_hit_shows_its_entry(index: Index) -> None:
    [hit] = notes(index, "zebra grass")
    shown = (hit.kind, hit.id, hit.title, hit.at, hit.author)
    text = "The zebra eats observatory grass"
    assert shown == ("note", "one", text, NOW, "Ada")


def test_a_name_is_looked_up_in_one_kind(index: Index) -> None:
    assert index.lookup("one") == ["one"]
    assert index.lookup("called") == []
    assert index.lookup("called", "note") == ["n2", "one"]


def test_other_kinds_change_no_score(index: Index, tmp_path: Path) -> None:
    alone = learnt(tmp_path / "alone", [*map(changed, SESSIONS)])
    for text in ("quokka", "feed the quokka", "wash quokka grass", "one", "today"):
        assert hits(index, text) == hits(alone, text), text


@every_row(
    ("typed", "kind", "meant"),
    [("telescpoe", "session", "telescope"), ("observatroy", "note", "observatory")],
)
def test_words_are_corrected_to_those_of_the_kind(
    index: Index, typed: str, kind: str, meant: str
) -> None:
    query = replace(parse(typed, now=NOW, tools=TOOLS), kind=kind)
    assert index.corrections(query) == {typed: meant}
    other = {"session": "note", "note": "session"}[kind]
    assert index.corrections(replace(query, kind=other)) == {}


def test_documents_with_one_id_are_replaced_and_removed_apart(index: Index) -> None:
    learn(index, [noted("one", "A giraffe"), removed("one")], "next")
    assert found(index, "feed quokka") == ["two"]
    assert [hit.id for hit in notes(index, "giraffe")] == ["one"]
    assert notes(index, "zebra grass") == []
