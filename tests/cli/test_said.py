"""`ocm show --conversation`."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from cli.running import Ocm
from support.conversations import keep
from support.workspaces import workspace_at

from gitmem.documents.conversation.conversation import Speaker, Turn, render
from gitmem.documents.kinds import SESSION
from gitmem.lookup import find
from gitmem.text.control_characters import UNSEEN

AT = datetime.fromisoformat("2026-02-23T14:32:07+01:00")
ESCAPES = "\x1b[2J\x1b]0;title\x07\x1b]52;c;Y2xpcA==\x07\u202emoc"
TURNS = (
    Turn(Speaker.PERSON, f"why is it slow? {ESCAPES}", AT),
    Turn(Speaker.ASSISTANT, "80 % is **tokenising**."),
)


@pytest.fixture
def said(ocm: Ocm, repository: Path) -> str:
    ran = ocm("checkpoint", "--json", "--slug", "slow", "--goal", "Make it fast.")
    session = find(workspace_at(repository), SESSION, ran.json["session_id"])
    assert keep(repository, session, TURNS)
    return session.session_id


def test_programs_get_the_turns(ocm: Ocm, said: str) -> None:
    assert ocm("show", "last", "--conversation", "--json").json == {
        "session_id": said,
        "turns": [
            {"speaker": "person", "at": AT.isoformat(), "text": TURNS[0].text},
            {"speaker": "assistant", "at": None, "text": TURNS[1].text},
        ],
    }


@pytest.mark.usefixtures("said")
def test_it_is_plain_text_where_no_terminal_is(ocm: Ocm) -> None:
    plain = ocm("show", "last", "--conversation").out
    assert plain.startswith("## Person, 2026-02-23T14:32:07+01:00\n\nwhy is it slow?")
    assert not UNSEEN.search(plain)
    assert ocm("show", "last", "--conversation", "--raw").out == render(TURNS)


def test_a_terminal_gets_it_drawn_and_no_command_of_it(
    ocm: Ocm, said: str, terminal: Callable[[int], None]
) -> None:
    terminal(80)
    drawn = ocm("show", "last", "--conversation").text
    assert drawn.splitlines()[0].strip() == said
    assert "80 % is tokenising." in drawn
    assert not UNSEEN.search(drawn)


def test_where_none_is_kept_the_error_says_so(ocm: Ocm) -> None:
    ocm("checkpoint", "--goal", "Make it fast.")
    refused = ocm("show", "last", "--conversation", "--json")
    assert refused.status == 1
    assert refused.error["code"] == "not-found"
    assert refused.error["message"].startswith("No conversation of ")
