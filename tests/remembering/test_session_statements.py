"""What sessions decided, tried and left open answers as memories do."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cli.running import Ocm
from remembering.saying import said_at, say
from support.harness import NOON, git, record
from support.workspaces import saved_id

from gitmem.actions.remembering.recall import RecalledMemory, RecallQuery
from gitmem.actions.remembering.session_statements import recall_all
from gitmem.actions.saving.conversation import Caller
from gitmem.documents.memory.memory import Relation, RelationType
from gitmem.errors import InvalidInput
from gitmem.search.documents import Match
from gitmem.workspace import Workspace


def found(workspace: Workspace, text: str, **asked: Any) -> list[RecalledMemory]:
    return [*recall_all(workspace, RecallQuery(text, **asked), Caller()).memories]


@pytest.fixture
def session(workspace: Workspace) -> str:
    return saved_id(
        workspace,
        goal="Make payments idempotent.",
        slug="payments",
        decisions=["**Redis:** keys of payments expire after a day.", "Log all calls."],
        tried=["Idempotency keys in Postgres: too slow."],
        constraints=["A payment is never repeated."],
        blockers=["The sandbox of the bank is down."],
        questions=["Who owns the ledger?"],
    )


def test_each_kind_of_statement_is_recalled(workspace: Workspace, session: str) -> None:
    for text, kind, item in (
        ("when do keys of payments expire", "decision", "d1"),
        ("idempotency keys Postgres", "failed", "t1"),
        ("payment repeated", "constraint", "c1"),
        ("sandbox bank", "blocker", "b1"),
        ("who owns ledger", "question", "q1"),
    ):
        first = found(workspace, text)[0]
        assert (first.kind, first.memory.id) == (kind, f"{session}#{item}")
        assert (first.match, first.is_own) == (Match.STRONG, True)
        assert [each.kind for each in found(workspace, text, kinds=[kind])] == [kind]
    assert found(workspace, "payments keys expire", kinds=["fix"]) == []
    assert found(workspace, "") == []
    with pytest.raises(InvalidInput, match="kind must be one of"):
        found(workspace, "payments", kinds=["thought"])


def test_what_is_asked_for_elsewhere_is_not_there(
    workspace: Workspace, session: str
) -> None:
    asked = "when do keys of payments expire"
    assert session in found(workspace, asked, scope="branch")[0].memory.id
    assert found(workspace, asked, scope="user") == []
    assert found(workspace, asked, tags=["payments"]) == []
    assert found(workspace, asked, files=["file.txt"]) == []
    assert found(workspace, "quantum chromodynamics") == found(workspace, "?!") == []
    assert found(workspace, "who needs to call a plumber") == []


def test_only_who_is_trusted_corrects_what_the_user_said(
    workspace: Workspace, repository: Path
) -> None:
    rule = said_at(workspace, "Never force push to main.")
    said_at(
        workspace,
        "Force push to main is fine, no longer forbidden.",
        NOON + timedelta(days=1),
        author="Eve <eve@example.com>",
        relations=(Relation(RelationType.SUPERSEDES, rule.id),),
    )
    assert not any(hit.correction for hit in found(workspace, "force push"))
    git(repository, "config", "ocm.trust", "eve@example.com")
    (corrected,) = (hit for hit in found(workspace, "force push") if hit.correction)
    assert corrected.memory.id == rule.id


def test_what_two_sessions_decide_in_turn_counts_in_that_order(
    workspace: Workspace, ocm: Ocm
) -> None:
    postgres, redis, files = (
        "Sessions live in Postgres.",
        "Sessions no longer live in Postgres, they live in Redis.",
        "Sessions no longer live in Redis, they live in files.",
    )
    decide(workspace, 0, "long", postgres)
    decide(workspace, 1, "short", redis)
    decide(workspace, 2, "long", "Carts have no limit.")
    assert holding(workspace, "where do sessions live") == [redis]
    decide(workspace, 3, "long", files)
    assert holding(workspace, "where do sessions live") == [files]
    shown = ocm("context", "where do sessions live").out
    assert f"decided: {files}" in shown
    assert redis not in shown


def decide(workspace: Workspace, hours: int, client: str, text: str) -> None:
    at = NOON + timedelta(hours=hours)
    workspace.store.append(record(client, at=at, goal=client, decisions=(text,)))


def holding(workspace: Workspace, query: str) -> list[str]:
    return [hit.memory.text for hit in found(workspace, query) if not hit.correction]


@pytest.mark.usefixtures("session")
def test_a_memory_that_says_the_same_comes_in_its_place(workspace: Workspace) -> None:
    kept = say(workspace, "Redis: keys of payments expire after a day!").memory
    ids = [each.memory.id for each in found(workspace, "keys of payments expire")]
    assert ids[0] == kept.id
    assert not any(each.endswith("#d1") for each in ids)


def test_it_has_the_form_of_a_memory(ocm: Ocm, session: str) -> None:
    (told,) = ocm("recall", "sandbox", "bank", "--json").json["result"]
    assert told["memory_id"] == f"{session}#b1"
    assert told["kind"] == "blocker"
    shown = ocm("show", told["memory_id"], "--json").json
    assert shown == ocm("show", session, "--json").json
    assert f"{session}#b1" in ocm("recall", "sandbox of the bank").text


@pytest.mark.usefixtures("session")
def test_statements_that_name_a_file_are_about_it(workspace: Workspace) -> None:
    naming = saved_id(
        workspace,
        Caller("cursor", own_conversation="b"),
        goal="Plan the ledger.",
        decisions=["Amounts in money/cents.py are integers.", "Ledgers are pink."],
    )
    for asked in ("", "how are amounts kept"):
        about = found(workspace, asked, files=["lib/money/cents.py"])
        assert [each.memory.id for each in about] == [f"{naming}#d1"]
    assert found(workspace, "", files=["money/other_cents.py"]) == []
    assert found(workspace, "keys of payments", files=["cents.py"]) == []
