"""Sessions in the order of what they mean, where the user installed a model."""

import pytest
from actions.conftest import workspace
from meaning.conftest import model
from support.workspaces import saved_session

from gitmem.actions.reading.find import search
from gitmem.meaning.model import SentenceModel
from gitmem.workspace import Workspace

__all__ = ["model", "workspace"]
QUESTION = "an impatient click charged customers two times"


@pytest.fixture(autouse=True)
def sessions(workspace: Workspace, model: SentenceModel) -> None:
    del model
    goals = (
        "Each click on Pay makes people pay again",
        "The sound of a click that a piano plays two octaves lower",
        "A click track for two drummers of the orchestra",
    )
    for goal in goals:
        saved_session(workspace, goal=goal, client_session_id=goal[:8])


def test_no_clear_match_is_ordered_by_meaning(workspace: Workspace) -> None:
    results = search(workspace, QUESTION, by_meaning=True).results
    assert results[0].hit.title.startswith("Each click on Pay")
    assert results[0].hit.cosine > max(result.hit.cosine for result in results[1:])
    scores = [result.hit.score for result in results]
    assert scores == sorted(scores, reverse=True)


def test_a_strong_match_needs_no_model(workspace: Workspace) -> None:
    results = search(
        workspace, "click track drummers orchestra", by_meaning=True
    ).results
    assert results == search(workspace, "click track drummers orchestra").results


def test_the_limit_holds(workspace: Workspace) -> None:
    assert len(search(workspace, QUESTION, limit=1, by_meaning=True).results) == 1
    assert {result.hit.cosine for result in search(workspace, QUESTION).results} == {
        0.0
    }
