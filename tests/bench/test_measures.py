"""The benchmark measures what it says."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bench import data
from bench.data import Asked, Corpus
from bench.measures import found
from bench.ours import in_words

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.search.queries.query import Query, parse

WEEK = data.commits(Path(__file__).with_name("january"))


class Fixed:
    """A ranking that always answers the same."""

    def __init__(self, *ids: str) -> None:
        self._ids = list(ids)

    def ids(self, _: str, limit: int) -> list[str]:
        return self._ids[:limit]


def test_no_session_holds_the_subject_of_a_commit() -> None:
    subjects = {one.text.lower() for one in WEEK.asked}
    for one in WEEK.kept:
        texts = [one.session.goal, *one.session.prompts, *(t.text for t in one.turns)]
        said = "\n".join(texts).lower()
        assert not [subject for subject in subjects if subject in said]


def test_every_commit_was_made_by_a_session_that_is_there() -> None:
    ids = {one.id for one in WEEK.kept}
    assert all(one.gold and one.gold <= ids for one in WEEK.asked)


def test_a_query_with_two_answers_is_half_found_by_one_of_them() -> None:
    (one,) = found(Fixed("other", "one"), [Asked("x", frozenset(["one", "two"]))])
    assert (one.first, one.five, one.ten, one.reciprocal) == (0, 0.5, 0.5, 0.5)


def test_an_answer_that_is_not_found_counts_as_nothing() -> None:
    (one,) = found(Fixed(), [Asked("x", frozenset(["one"]))])
    assert (one.ten, one.reciprocal) == (0, 0)


def test_rows_of_one_conversation_are_one_session() -> None:
    first, other, longer = on_branches("main", "main", "later")
    said = Turn(Speaker.ASSISTANT, "answer")
    longer = replace(
        longer,
        session=replace(
            longer.session, client_session_id=first.session.client_session_id
        ),
        turns=(*first.turns, said, *longer.turns),
    )
    asked = [Asked("x", frozenset([first.id, longer.id]))]
    joined = data.conversations(Corpus([longer, other, first], asked))
    both = next(one for one in joined.kept if one.id != other.id)
    assert joined.asked == [Asked("x", frozenset([both.id]))]
    assert both.turns == longer.turns
    assert both.session.prompts == ("prompt 1", "prompt 3")
    assert both.session.started_at == first.session.started_at
    assert both.session.updated_at == longer.session.updated_at
    assert both.session.branch == "later"


def test_filters_put_back_are_words() -> None:
    text = 'What was "agreed" in march about src/auth.py?'
    words = in_words(parse(text, now=data.NOW, tools={}))
    assert words.words == ("agreed", "march", "src", "auth", "py")
    assert words == Query(text, words.words, None, None, None, ())


def on_branches(*branches: str) -> Iterator[data.Kept]:
    for number, (one, branch) in enumerate(zip(by_start(), branches, strict=False), 1):
        yield replace(
            one,
            session=replace(one.session, branch=branch),
            turns=(Turn(Speaker.PERSON, f"prompt {number}"),),
        )


def by_start() -> list[data.Kept]:
    starts = {one.session.started_at: one for one in WEEK.kept}
    return [starts[at] for at in sorted(starts)]
