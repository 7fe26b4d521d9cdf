"""What is recalled by what it means, where the user installed a model."""

import sys

import pytest
from cli.running import Ocm
from meaning.conftest import model
from remembering.saying import ADA, found, say, texts

from gitmem.actions.remembering import named
from gitmem.actions.remembering.meanings import build_meanings
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.kinds import MEMORY
from gitmem.meaning.model import MODULE, SentenceModel, sentence_model
from gitmem.search.documents import Match
from gitmem.workspace import Workspace

__all__ = ["model"]
HELD = "Seats are held for twelve minutes while a customer pays."
PUMP = "The pump kept running after a brownout."
AGAIN = "During payment a customer's seats stay reserved for 12 minutes."
QUESTION = "how long is a place reserved before somebody paid"


@pytest.fixture(autouse=True)
def needs_the_model(model: SentenceModel) -> None:
    del model


def test_other_words_find_a_memory(workspace: Workspace) -> None:
    for text in (HELD, PUMP):
        say(workspace, text)
    assert texts(workspace, QUESTION) == []
    (hit,) = found(workspace, QUESTION, by_meaning=True)
    assert hit.memory.text == HELD
    assert 0.3 < hit.cosine < 1
    assert (
        texts(workspace, "unity character falls through the floor", by_meaning=True)
        == []
    )


def test_a_recall_explains_what_answers(workspace: Workspace, ocm: Ocm) -> None:
    say(workspace, HELD)
    assert "strong match, score 0." in ocm("recall", "--explain", "seats held").out
    assert ", by meaning, 0." in ocm("recall", "--explain", QUESTION).out


def test_filters_have_to_fit_by_meaning_too(workspace: Workspace) -> None:
    say(workspace, HELD, kind="decision", tags=["booking"])
    assert texts(workspace, QUESTION, by_meaning=True, tags=["booking"]) == [HELD]
    assert texts(workspace, QUESTION, by_meaning=True, tags=["pump"]) == []
    assert texts(workspace, QUESTION, by_meaning=True, kinds=["fix"]) == []


def test_words_and_meaning_together_make_a_strong_match(workspace: Workspace) -> None:
    say(workspace, HELD)
    (hit,) = found(workspace, "how long are seats held", by_meaning=True)
    assert hit.match is Match.STRONG


def test_other_languages_are_answered_by_words(workspace: Workspace) -> None:
    german = "Wartungsarbeiten nur zwischen 1 und 3 Uhr wegen der Nachtfähre."
    for text in (german, HELD):
        say(workspace, text)
    question = "wann fährt die Nachtfähre wegen Wartungsarbeiten nicht"
    (hit,) = found(workspace, question, by_meaning=True)
    assert (hit.memory.text, hit.cosine) == (german, 0)
    (named_hit,) = found(workspace, "Nachtfähre", by_meaning=True)
    assert named_hit.memory.text == german


def test_what_was_replaced_is_not_near(workspace: Workspace) -> None:
    old = say(workspace, HELD)
    new = "Seats are held for thirty minutes while a customer pays."
    say(workspace, new, replaces=old.memory.id)
    assert texts(workspace, QUESTION, by_meaning=True) == [new]


def test_what_is_forgotten_leaves_no_vector(workspace: Workspace) -> None:
    memory = say(workspace, HELD).memory
    assert texts(workspace, QUESTION, by_meaning=True) == [HELD]
    file = workspace.index_folder / "meanings"
    assert memory.id.encode() in file.read_bytes()
    named.forget([named.NamedDocument(workspace, MEMORY, memory.id)])
    assert not file.exists()
    assert texts(workspace, QUESTION, by_meaning=True) == []


def test_vectors_that_are_deleted_are_made_again(workspace: Workspace) -> None:
    say(workspace, HELD)
    assert texts(workspace, QUESTION, by_meaning=True) == [HELD]
    (workspace.index_folder / "meanings").unlink()
    build_meanings(workspace)
    assert (workspace.index_folder / "meanings").exists()
    assert texts(workspace, QUESTION, by_meaning=True) == [HELD]


def test_what_may_be_the_same_or_the_contrary_is_named(workspace: Workspace) -> None:
    memory = say(workspace, HELD).memory
    say(workspace, PUMP)
    again = parse_statement({"text": AGAIN}, workspace.now())
    saved = remember(workspace, again, ADA, by_meaning=True)
    (near,) = saved.similar
    assert (near.memory.id, near.proposal) == (memory.id, None)
    assert {*texts(workspace, limit=9)} == {HELD, PUMP, AGAIN}


def test_without_the_extra_words_answer(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(workspace, HELD)
    monkeypatch.setitem(sys.modules, MODULE, None)
    sentence_model.cache_clear()
    assert texts(workspace, QUESTION, by_meaning=True) == []
    assert texts(workspace, "seats held", by_meaning=True) == [HELD]
    sentence_model.cache_clear()
