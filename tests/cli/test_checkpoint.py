import json
from datetime import timedelta
from pathlib import Path

import pytest
from cli.running import Ocm
from support.harness import git

from gitmem.actions.saving import conversation

REF = "refs/ocm/sessions"


def test_checkpoint_by_hand_is_the_persons(ocm: Ocm, repository: Path) -> None:
    saved = ocm(
        *("checkpoint", "--goal", "Mend the login", "--slug", "login-loop", "--json"),
        *("-d", "found it", "--done", "understood it", "--todo", "a test"),
        *("--note", "it was the cookie", "--decision", "**Cookie:** not the header"),
        *("--tried", "a header", "--constraint", "one origin", "--question", "why"),
        *("--blocker", "no key", "--blocker", "no test"),
    )
    assert saved.status == 0
    assert saved.json.keys() == {"session_id", "markdown_path", "status"}
    assert saved.json["session_id"].endswith("_cli_login-loop")
    document = Path(saved.json["markdown_path"]).read_text()
    assert "- found it\n- understood it\n" in document
    assert "- a test\n" in document
    assert "- it was the cookie\n" in document
    assert "- **Cookie:** not the header\n" in document
    assert "## Tried And Given Up\n\n- a header\n" in document
    assert "## Constraints\n\n- one origin\n" in document
    assert "## Blockers\n\n- no key\n- no test\n" in document
    assert "## Open Questions\n\n- why\n" in document
    assert git(repository, "rev-list", "--count", REF) == "1"


def test_a_session_that_is_named_goes_on(ocm: Ocm, repository: Path) -> None:
    ocm("checkpoint", "--goal", "Mend the login", "--todo", "a test", "--blocker", "b")
    done = ("-d", "a test", "--blocker", "", "--status", "closed")
    ocm("checkpoint", "--session", "last", *done)
    (listed,) = ocm("list", "--json").json
    assert listed["status"] == "closed"
    shown = ocm("show", "last").out
    assert "- a test\n" in shown
    assert "Blockers" not in shown
    before = git(repository, "rev-parse", REF)
    assert ocm("checkpoint", "--session", "last").status == 0
    assert git(repository, "rev-parse", REF) == before
    ocm("checkpoint", "--goal", "Another")
    assert len(ocm("list", "--json").json) == 2


def test_the_environment_says_which_assistant_runs_it(
    ocm: Ocm, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, tool in (
        *((None, "cli"), ("CLAUDECODE", "claude-code")),
        *(("CODEX_THREAD_ID", "codex"),),
    ):
        with monkeypatch.context() as patch:
            if variable:
                patch.setenv(variable, "11112222-aaaa")
            saved = ocm("checkpoint", "--goal", "Mend the login", "--json").json
        assert f"_{tool}_" in saved["session_id"]


def test_by_hand_ones_own_open_session_goes_on(ocm: Ocm, repository: Path) -> None:
    def saved(*options: str, by_hand: bool = True) -> str:
        ran = ocm("checkpoint", *options, "--json", by_hand=by_hand)
        return str(ran.json["session_id"])

    script = saved("--goal", "A script's", by_hand=False)
    first = saved("--goal", "Mend the login")
    assert first != script
    assert saved("--done", "found it") == first
    told = ocm("checkpoint", "--done", "understood it", by_hand=True)
    assert first in told.out
    assert "goes on with your open session" in told.err
    named = saved("--slug", "login-loop")
    assert named.endswith("_login-loop")
    assert saved("--slug", "login-loop", "--done", "a test") == named
    assert saved("--goal", "Another", "--new") not in (first, named)
    newest = saved("--done", "more")
    assert saved("--goal", "A script's", by_hand=False) != newest
    git(repository, "switch", "--quiet", "--create", "elsewhere")
    assert saved("--goal", "Of another branch") != newest
    git(repository, "config", "user.email", "grace@example.com")
    assert len({newest, saved("--goal", "Grace's"), saved("--done", "x")}) == 2
    ocm("checkpoint", "--status", "closed", by_hand=True)
    before = len(ocm("list", "--json").json)
    saved("--goal", "After the end")
    assert len(ocm("list", "--json").json) == before + 1
    assert ocm("checkpoint", "--new", "--session", "last").status == 2


def test_half_a_day_later_another_session_begins(
    ocm: Ocm, monkeypatch: pytest.MonkeyPatch
) -> None:
    ocm("checkpoint", "--goal", "Mend the login", by_hand=True)
    monkeypatch.setattr(conversation, "OPEN_TIME", timedelta(0) - timedelta(hours=1))
    ocm("checkpoint", "--goal", "Mend the logout", by_hand=True)
    assert len(ocm("list", "--json").json) == 2


def test_by_hand_in_an_assistants_shell_its_conversation_goes_on(
    ocm: Ocm, monkeypatch: pytest.MonkeyPatch
) -> None:
    ocm("checkpoint", "--goal", "By hand", by_hand=True)
    monkeypatch.setenv("CODEX_THREAD_ID", "0a1b2c3d-4e5f-4000-8000-000000000000")
    for options in (["--goal", "Mend the login"], ["--done", "the cookie"], ["--new"]):
        ocm("checkpoint", "--goal", "Codex", *options, by_hand=True)
    tools = [each["tool"] for each in ocm("list", "--json").json]
    assert sorted(tools) == ["cli", "codex", "codex"]


def test_input_takes_what_the_tool_takes(ocm: Ocm, tmp_path: Path) -> None:
    arguments = {
        "goal": "Move to TEI",
        "slug": "tei-migration",
        "tool": "Cursor",
        "work_pending": ["batch size"],
        "references": [{"url": "https://example.com/tei", "title": "TEI"}],
    }
    file = tmp_path / "arguments.json"
    file.write_text(json.dumps(arguments), "utf-8-sig")
    assert ocm("checkpoint", "--input", str(file)).status == 0
    saved = ocm("checkpoint", "--input", "-", "--json", stdin=file.read_bytes())
    assert saved.json["session_id"].endswith("_cursor_tei-migration")
    assert "[TEI](https://example.com/tei)" in ocm("show", "last").out


def test_empty_checkpoint_makes_nothing(ocm: Ocm, repository: Path) -> None:
    saved = ocm("checkpoint", "--input", "-", "--json", stdin=b"{}")
    assert saved.status == 0
    assert saved.json == {"session_id": None, "markdown_path": None, "status": "open"}
    assert git(repository, "for-each-ref", REF) == ""
    assert "Nothing was saved" in ocm("checkpoint").out


def test_invalid_input_is_refused_and_writes_nothing(
    ocm: Ocm, repository: Path
) -> None:
    for content, word in (
        (b"{'goal': 1}", "is not JSON"),
        (b"[]", "must be an object"),
        (b"\xff\xfe{}", "is not JSON"),
        (b'{"gaol": "x"}', "no argument 'gaol'"),
        (b'{"goal": 5}', "goal must be text"),
        (b" " * 20_000_001, "more than 20,000,000 bytes"),
        (b"[" * 200_000, "JSON"),
        (b'{"goal": "' + b"x" * 5_000_000 + b'"}', "5,000,000 characters"),
    ):
        refused = ocm("checkpoint", "--input", "-", stdin=content)
        assert (refused.status, refused.out) == (2, "")
        assert word in refused.err
    assert git(repository, "for-each-ref", REF) == ""


def test_what_is_not_there_is_refused(ocm: Ocm, repository: Path) -> None:
    refused = ocm("checkpoint", "--session", "nope", "--goal", "x", "--json")
    assert (refused.status, refused.error["code"]) == (1, "not-found")
    refused = ocm("checkpoint", "--input", str(repository / "nothing.json"))
    assert refused.status == 2
    assert "nothing.json: No such file" in refused.err
    both = ("checkpoint", "--input", "-", "--goal", "x")
    assert ocm(*both, stdin=b"{}").status == 2
    assert git(repository, "for-each-ref", REF) == ""
