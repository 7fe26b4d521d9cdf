"""What a session says reaches the terminal as text, and never as a command."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import (
    Ocm,
    append_by_hand,
    checkpoint,
    commit_by_hand,
    on_a_terminal,
)
from hypothesis import given
from hypothesis import strategies as st
from rich.markdown import Markdown
from support.rounds import few

from gitmem.cli import output
from gitmem.cli.options import complete_session
from gitmem.cli.reading.drawing import rendered
from gitmem.text.control_characters import harmless

ESCAPES = "\x1b[2J\x1b]0;title\x07\x1b]52;c;Y2xpcA==\x07\x9b5A\x08\x7f\u202emoc\u2066"
MARKUP = "[red]not red[/red] [/] :smile: {braces}"
_OURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def hostile(ocm: Ocm, repository: Path) -> str:
    (repository / "a\x1b[31mb.py").write_text("")
    session_id = checkpoint(
        ocm,
        goal=f"{MARKUP} {ESCAPES}",
        work_completed=[f"done {ESCAPES}", "<script>alert(1)</script>"],
        plan_files=[{"path": f"x{ESCAPES}", "header": f"# {ESCAPES}"}],
        references=[{"url": f"https://example.com/{ESCAPES}", "title": ESCAPES}],
    )
    notes = f"\n## Notes\n\n{ESCAPES}\n\n```\n{ESCAPES}\n```\n"
    append_by_hand(repository, session_id, notes)
    return session_id


@pytest.mark.usefixtures("hostile")
def test_no_escape_sequence_of_a_document_reaches_a_terminal(
    ocm: Ocm, terminal: Callable[[int], None]
) -> None:
    for columns in (40, 130):
        terminal(columns)
        for command in (
            *(["list"], ["search", "smile"], ["show", "last"], ["files", "last"]),
            *(["status"], ["brief"], ["context", "smile"]),
            ["checkpoint", "--session", "last"],
        ):
            ran = ocm(*command)
            assert ran.status == 0
            assert_harmless(ran.out + ran.err)


@pytest.mark.endurance
@pytest.mark.usefixtures("hostile")
@few(1, "pager", ["", "cat"])
def test_what_others_wrote_into_the_history_does_not_either(
    repository: Path, monkeypatch: pytest.MonkeyPatch, pager: str
) -> None:
    """Git shows messages and names as they are."""
    monkeypatch.setenv("GIT_AUTHOR_NAME", f"Eve {ESCAPES}")
    monkeypatch.setenv("GIT_PAGER", pager)
    monkeypatch.setenv("TERM", "xterm")
    commit_by_hand(repository, "sessions/note", ESCAPES, message=f"by {ESCAPES}")
    said, status = on_a_terminal(repository, ["log", "-p", "-n", "1"], "")
    assert status == 0
    assert "Eve" in said
    assert_harmless(re.sub(r"\r|\x1b\[K", "", said))


def test_markup_of_a_document_is_shown_as_it_is(ocm: Ocm, hostile: str) -> None:
    assert MARKUP in ocm("list").out
    assert MARKUP in ocm("show", hostile).out


def test_programs_get_the_document_to_the_letter(ocm: Ocm, hostile: str) -> None:
    assert ESCAPES in ocm("show", hostile, "--raw").out
    assert ESCAPES in ocm("show", hostile, "--json").json["document"]
    assert_harmless(ocm("show", hostile).out)


@given(st.text())
def test_no_text_is_ever_a_command(text: str) -> None:
    assert_harmless(harmless(text))
    assert "\n" not in output.one_line(text)


@given(
    st.text(st.sampled_from("\x1b[]()<>!&#;`*_~|-:\n\t \\x1Bab\x9b\u202e"), max_size=80)
)
def test_no_markdown_is_ever_a_command(text: str) -> None:
    assert_harmless(rendered(Markdown(text, hyperlinks=False)))


def test_completion_knows_the_newest_sessions_and_last(ocm: Ocm) -> None:
    for slug in ("one", "two"):
        ocm("checkpoint", "--slug", slug, "--goal", "`touch trap` $(touch trap)")
    ids = [each["session_id"] for each in ocm("list", "--json").json]
    completed = [*complete_session("20")]  # which a shell evaluates
    assert sorted(completed) == sorted([*ids, "last"])
    assert all(re.fullmatch(r"[a-z0-9_.-]+", each) for each in completed)


def assert_harmless(text: str) -> None:
    """Printable characters and line ends, and the colours that are ours."""
    rest = _OURS.sub("", text)
    assert not re.search(
        r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", rest
    )
