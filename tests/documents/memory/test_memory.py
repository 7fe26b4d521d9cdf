"""The document of a memory, and what two clones make of its versions."""

from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.harness import NOON
from support.strategies import texts

from gitmem.documents.memory.kind import MEMORY, Stated
from gitmem.documents.memory.memory import (
    Category,
    Memory,
    MemoryFile,
    MemoryStatus,
    Relation,
    RelationType,
    confidence_of,
    ids_of,
)

ID, OTHER = "m-0123456789ab", "m-fedcba987654"
BLOB = "0123456789" * 4

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=8)
shares = st.integers(0, 100).map(lambda number: number / 100)
times = st.integers(0, 300).map(lambda minutes: NOON + timedelta(minutes=minutes))


def lists(items: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(items, max_size=3).map(tuple)


memories = st.builds(
    Memory,
    id=st.just(ID),
    text=texts(),
    kind=st.sampled_from(Category),
    key=names,
    why=texts(),
    branch=names,
    pinned=st.booleans(),
    importance=shares,
    confidence=shares,
    expires=st.none() | times,
    created_at=times,
    updated_at=times,
    author=names,
    status=st.sampled_from(MemoryStatus),
    facts=lists(texts()),
    tags=lists(texts()),
    files=lists(st.builds(MemoryFile, texts(), st.sampled_from(["", BLOB]))),
    sources=lists(texts()),
    relations=lists(
        st.builds(Relation, st.sampled_from(RelationType), st.sampled_from([ID, OTHER]))
    ),
)


def memory(**values: Any) -> Memory:
    base = {"id": ID, "text": "a", "created_at": NOON, "updated_at": NOON}
    return Memory(**{**base, **values})


@given(memories)
def test_what_was_written_is_read_back_equal(made: Memory) -> None:
    assert MEMORY.parse(ID, MEMORY.render(made)) == made


@given(memories, times)
def test_the_journal_gives_a_version_back(made: Memory, at: Any) -> None:
    change = Stated(at, made)
    assert MEMORY.decode(MEMORY.encode(change)) == change


@given(texts())
def test_any_text_is_a_memory(text: str) -> None:
    made = MEMORY.parse(ID, text)
    assert MEMORY.parse(ID, MEMORY.render(made)) == made


@given(memories, memories, memories)
def test_clones_agree_in_whatever_order_they_hear(
    one: Memory, two: Memory, three: Memory
) -> None:
    merge = MEMORY.merge
    assert merge(one, one) == one
    assert merge(one, two) == merge(two, one)
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


@given(memories, memories, times)
def test_a_change_that_is_applied_twice_counts_once(
    before: Memory, made: Memory, at: Any
) -> None:
    after = MEMORY.apply(before, Stated(at, made))
    assert MEMORY.apply(after, Stated(at, made)) == after


def test_the_newer_statement_stands_and_sources_add_up() -> None:
    old = memory(text="Postgres 15", sources=("session:a",), facts=("on port 1",))
    new = memory(
        text="Postgres 16", sources=("session:b",), updated_at=NOON + timedelta(hours=1)
    )
    both = MEMORY.merge(new, old)
    assert (both.text, both.facts) == ("Postgres 16", ("on port 1",))
    assert both.sources == ("session:a", "session:b")
    assert confidence_of(both) == 0.9
    assert confidence_of(replace(both, sources=tuple("abcdefgh"))) == 1


def test_what_one_clone_superseded_stays_so() -> None:
    gone = memory(status=MemoryStatus.SUPERSEDED)
    edited = memory(text="b", updated_at=NOON + timedelta(hours=1))
    both = MEMORY.merge(gone, edited)
    assert (both.text, both.status) == ("b", MemoryStatus.SUPERSEDED)


def test_the_same_words_have_one_id() -> None:
    known, other = islice(ids_of("We use Postgres.", ""), 2)
    assert next(ids_of("we use  POSTGRES", "")) == known
    assert next(ids_of("we use Postgres", "main")) != known
    assert next(ids_of("we use MySQL", "")) != known
    assert other != known
    assert MEMORY.is_id(known)
    assert MEMORY.is_id(other)
