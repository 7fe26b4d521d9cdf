from pathlib import Path

import pytest
from cli.running import Ocm
from support.harness import git
from support.workspaces import workspace_at

from gitmem.actions.context.build import brief
from gitmem.assistants.known import UNKNOWN


@pytest.fixture
def saved(ocm: Ocm) -> str:
    goal = "Stop charging customers twice"
    ran = ocm("checkpoint", "--json", "--slug", "stop-it", "--goal", goal)
    return str(ran.json["session_id"])


def test_it_prints_brief_and_cost(ocm: Ocm, repository: Path, saved: str) -> None:
    made = brief(workspace_at(repository), None, UNKNOWN)
    ran = ocm("brief")
    assert (ran.status, ran.out) == (0, made.text)
    assert saved in ran.out
    assert f"About {made.tokens} tokens of 800, {len(made.text)} char" in ran.err
    assert "introduction" in ran.err
    assert "`git config ocm.brief.budget N`" in ran.err


def test_it_prints_what_a_session_gets_when_it_goes_on(ocm: Ocm, saved: str) -> None:
    ran = ocm("brief", "--session", "last")
    assert f"session id is {saved}." in ran.out
    assert "This conversation so far" in ran.out
    assert ocm("brief", "--session", "nothing").status == 1


def test_it_tells_what_the_user_prefers_in_every_repository(
    ocm: Ocm, repository: Path
) -> None:
    ocm("remember", "I like short subjects", "--kind", "preference", "--scope", "user")
    ocm("remember", "Ada is new to React", "--kind", "profile", "--scope", "user")
    git(repository, "config", "user.name", "Ada at work")
    git(repository, "config", "user.email", "ada@work.example")
    ocm("remember", "Deploy on Mondays", "--kind", "decision")
    text = ocm("brief").out
    for said in ("preference: I like", "profile: Ada is", "decision: Deploy"):
        assert said in text


@pytest.mark.usefixtures("saved")
def test_for_programs_it_has_the_text_and_the_cost_of_each_part(ocm: Ocm) -> None:
    made = ocm("brief", "--json").json
    assert list(made) == ["characters", "text", "tokens", "budget", "parts"]
    assert list(made["parts"][0]) == ["name", "tokens", "rows", "left_out"]
    assert made["text"] == ocm("brief").out
    assert sum(part["tokens"] for part in made["parts"]) == made["tokens"]


@pytest.mark.usefixtures("saved")
def test_turned_off_it_says_how_to_turn_it_on(ocm: Ocm, repository: Path) -> None:
    git(repository, "config", "ocm.brief.budget", "0")
    for ran in (ocm("brief"), ocm("brief", "--session", "last")):
        assert (ran.status, ran.out) == (0, "")
        assert "turned off" in ran.err
        assert "`git config ocm.brief.budget 800`" in ran.err
    made = ocm("brief", "--json").json
    assert made == {"characters": 0, "text": "", "tokens": 0, "budget": 0, "parts": []}
