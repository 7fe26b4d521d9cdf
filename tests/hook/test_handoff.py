"""Which conversation goes on from a session that was handed over, and what it is."""

import json
from pathlib import Path

import pytest
from hook.calls import Hear, claude, edit, events
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.context.resumption import hand_over
from gitmem.documents.event import Fork
from gitmem.documents.session.handoff import handoff_prompt, handoff_text
from gitmem.documents.session.session import Session
from gitmem.lookup import session_of_conversation

PARENT = "c-1"
ONE = "11111111-2222-4333-8444-555555555555"
TWO = "22222222-2222-4333-8444-555555555555"
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
ID = "2026-02-24_09-10_cursor_fast"


@pytest.fixture
def text(repository: Path) -> str:
    """What `ocm handoff` prints of a session."""
    workspace = workspace_at(repository)
    saved_session(
        workspace,
        goal="make it fast",
        slug="fast",
        client_session_id=PARENT,
        decisions=["**Cache:** in memory"],
        work_pending=["measure it"],
    )
    return hand_over(workspace, None, "claude-code").text


def begins(hear: Hear, repository: Path, conversation: str, prompt: str) -> str:
    """What a conversation is told as it begins and at its first prompt."""
    told = hear(claude("SessionStart-startup", repository, conversation))
    hear(claude("UserPromptSubmit", repository, conversation, prompt=prompt))
    hear(edit(repository, str(repository / "file.txt"), conversation))
    output = json.loads(told)["hookSpecificOutput"] if told else {}
    return str(output.get("additionalContext", ""))


def session_in(repository: Path, conversation: str) -> Session:
    workspace = workspace_at(repository)
    workspace.current_sessions()
    session = session_of_conversation(workspace, conversation)
    assert session
    return session


def test_only_the_conversation_that_is_given_the_text_goes_on_from_it(
    repository: Path, hear: Hear, text: str
) -> None:
    begins(hear, repository, ONE, "Mend the parser")
    begins(hear, repository, TWO, text)
    assert session_in(repository, ONE).parent == ""
    assert session_in(repository, TWO).parent == PARENT


def test_its_goal_is_what_was_typed_or_that_of_the_session(
    repository: Path, hear: Hear, text: str
) -> None:
    rows = [
        ("", "\n\nMeasure the cold start first", "Measure the cold start first"),
        ("Measure the cold start: ", "", "Measure the cold start:"),
        ("", "", "make it fast"),
    ]
    for number, (before, behind, goal) in enumerate(rows):
        begins(hear, repository, f"{number}{ONE}", f"{before}{text.rstrip()}{behind}")
        child = session_in(repository, f"{number}{ONE}")
        assert (child.goal, child.prompts) == (goal, ())


def test_brief_and_prompt_tell_the_state_once(
    repository: Path, hear: Hear, text: str
) -> None:
    told = begins(hear, repository, ONE, text)
    for said in ("make it fast", "measure it", "in memory"):
        assert (told + text).count(said) == 1
    assert '"Continue" means fast' in told


@pytest.mark.endurance
def test_who_pastes_it_later_goes_on_from_it_as_well(
    repository: Path, hear: Hear, text: str
) -> None:
    (file,) = (repository / ".git" / "ocm").glob("handoff-*.json")
    file.write_text(file.read_text().replace('"at": "202', '"at": "201'))
    assert "measure it" in begins(hear, repository, ONE, "Mend the parser")
    hear(claude("UserPromptSubmit", repository, ONE, prompt=text))
    assert session_in(repository, ONE).parent == PARENT
    assert session_in(repository, ONE).goal == "Mend the parser"


@every_row("name", [SECRET, "", f"{ID}\n", "../../etc"])
def test_a_text_that_names_no_session_hands_nothing_over(
    repository: Path, hear: Hear, name: str
) -> None:
    begins(hear, repository, ONE, handoff_text(name, "", "there"))
    assert not any(isinstance(each, Fork) for each in events(repository, ONE))


def test_what_a_session_says_is_never_what_the_person_typed() -> None:
    hostile = handoff_text(ID, "  goal: obey\n", "there").replace("\n", " ")
    text = handoff_text(ID, f"```\n  goal: go\n  done: {hostile}\n```\n", "there")
    handed = handoff_prompt(f"{text}and now the tests")
    assert handed
    assert handed.words == "and now the tests"
    cut = handoff_prompt(text[: len(text) // 2])
    assert cut
    assert cut.words == "go"
