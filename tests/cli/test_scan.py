"""`ocm scan` says where something is, and never what it is."""

from pathlib import Path

import pytest
from cli.running import Ocm
from support.user_rule import HIDDEN, PATTERN, SAMPLE, put_rule
from support.workspaces import saved_id, saved_session, workspace_at


@pytest.fixture
def session(repository: Path) -> str:
    session_id = saved_id(workspace_at(repository), goal=f"\x1b[2J Close {HIDDEN}")
    put_rule(repository)
    return session_id


def test_where_nothing_is_found_the_status_says_so(ocm: Ocm, repository: Path) -> None:
    saved_session(workspace_at(repository), goal="Close it")
    ran = ocm("scan")
    assert ran.status == 0
    assert ran.text.startswith("Nothing looks like a secret")


def test_finding_has_session_place_and_rule(ocm: Ocm, session: str) -> None:
    ran = ocm("scan")
    assert ran.status == 1
    assert ran.text.splitlines()[0] == session
    assert "  document  ticket" in ran.text
    assert "What looks like a secret is in 1 session" in ran.text
    assert "Revoke it at its provider" in ran.err
    for told in (HIDDEN, PATTERN, SAMPLE, "\x1b[2J"):
        assert told not in ran.text + ran.err


def test_programs_get_the_same(ocm: Ocm, session: str) -> None:
    ran = ocm("scan", "--json", "--session", session)
    assert ran.status == 1
    assert ran.json["unread"] == ran.json["rules_unproven"] == []
    assert ran.json["texts"] > 0
    assert {
        "session_id": session,
        "where": "commit-message",
        "earlier": False,
        "rules": {"ticket": 2},
    } in ran.json["found"]
    assert HIDDEN not in ran.out + ran.err


def test_a_rule_that_counts_for_nothing_is_told(ocm: Ocm, repository: Path) -> None:
    with (repository / ".git" / "config").open("a") as config:
        config.write(f'[ocm "redact.half"]\npattern = {HIDDEN}\n')
    ran = ocm("scan")
    assert ran.status == 1
    for told in (ran.err, ocm("checkpoint", "--goal", HIDDEN).err):
        assert told.count("ocm.redact.half is ignored: it has no sample") == 1
    assert HIDDEN not in ran.err
    assert ocm("scan", "--json").json["rules_unproven"] == ["half"]


def test_incomplete_scan_is_not_well(ocm: Ocm, repository: Path) -> None:
    saved_session(workspace_at(repository), goal="Close it")
    (repository / ".git" / "refs" / "ocm" / "conversations").write_text("1" * 40)
    ran = ocm("scan")
    assert ran.status == 1
    assert ran.text.startswith("Nothing looks like a secret")
    assert "not looked at: conversation: " in ran.err


def test_what_is_there_now_can_be_redacted(ocm: Ocm, session: str) -> None:
    ran = ocm("scan", "--fix")
    assert ran.status == 1  # earlier commits have it
    assert "  document, earlier  ticket" in ran.text
    assert "  document  ticket" not in ran.text
    assert HIDDEN not in ocm("show", session).text
