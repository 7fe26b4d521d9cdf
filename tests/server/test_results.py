"""Results of a search, as they are sent."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.mcp_client import text_of
from support.workspaces import saved_session, weak, workspace_at

from gitmem.actions import answers
from gitmem.actions.reading.find import Results, search
from gitmem.errors import Ambiguous
from gitmem.server import resources, results


@pytest.fixture
def found(repository: Path) -> Results:
    workspace = workspace_at(repository)
    for name in ("one", "two"):
        saved_session(workspace, goal="Print the banner", client_session_id=name)
    return search(workspace, "banner in cursor")


def test_weak_hits_come_with_what_to_do_in_text_and_structure(found: Results) -> None:
    hits = [weak(each, ["banner"], ["stopped"]) for each in found.found]
    some = replace(found, found=hits)
    sent = results.of_search(
        answers.of_search(some), answers.understood(some), answers.notice(some)
    )
    told = sent.structured_content
    assert told is not None
    assert list(told) == ["notice", "result", "understood"]
    assert "Ask the user, or search again in other words." in told["notice"]
    for hit in told["result"]:
        assert (hit["match"], hit["answers"]) == ("weak", ["banner"])
        assert hit["misses"] == ["stopped"]
    assert json.loads(text_of(sent)) == told
    assert text_of(sent).startswith('{"notice":')


def test_of_strong_hits_nothing_is_said_that_is_empty(found: Results) -> None:
    sent = results.of_search(
        answers.of_search(found), answers.understood(found), answers.notice(found)
    )
    assert sent.structured_content is not None
    assert "notice" not in sent.structured_content
    for hit in sent.structured_content["result"]:
        assert hit["match"] == "strong"
        assert not hit.keys() & {"answers", "misses", "project", "root", "remote"}


def test_no_weak_hit_is_gone_on_from_without_asking(found: Results) -> None:
    ids = [each.hit.id for each in found.found]
    assert resources.best(found, "banner") == ids[0]
    doubtful = replace(found, found=[weak(each) for each in found.found])
    with pytest.raises(Ambiguous, match=r"No session clearly matches") as caught:
        resources.best(doubtful, "banner")
    assert list(caught.value.candidates) == ids
