"""Which memories answer, and in which order."""

from datetime import timedelta
from pathlib import Path

import pytest
from remembering.saying import days_ago, found, said_at, say, texts
from support.harness import git

from gitmem.actions.remembering.answering import worth
from gitmem.actions.remembering.recall import RecallQuery, recall
from gitmem.documents.memory.memory import Category, MemoryStatus
from gitmem.errors import InvalidInput, NotFound
from gitmem.search.documents import Match
from gitmem.workspace import Workspace

POSTGRES = "The tests need Postgres 16."


def test_a_memory_is_found_by_its_words_and_says_whence(workspace: Workspace) -> None:
    say(workspace, POSTGRES)
    say(workspace, "Ada drinks tea in the morning.", scope="user")
    (db,) = found(workspace, "which Postgres do tests need")
    assert (db.memory.text, db.scope, db.match) == (POSTGRES, "project", Match.STRONG)
    (tea,) = found(workspace, "drink in the morning")
    assert (tea.scope, tea.is_own) == ("user", True)
    assert found(workspace, "quantum chromodynamics") == []


def test_what_shares_only_grammar_with_a_question_is_no_answer(
    workspace: Workspace,
) -> None:
    say(workspace, "The nurses rest after each shift.")
    assert texts(workspace, "voltage after brownout") == []
    assert texts(workspace, "voltage after a shift")


def test_what_shares_only_the_frame_of_a_question_is_no_answer(
    workspace: Workspace,
) -> None:
    say(workspace, "Episodes come from the studio by SFTP.")
    say(workspace, "Never run the encoder twice; we use one version on all machines.")
    say(workspace, "Wir nutzen die Aufnahmen, wie sie kommen.")
    for question in (
        "where does the intro jingle come from",
        "which Kotlin version do we run",
        "what do they call the parking garage they use",
        "welche Mailinglisten nutzen wir",
    ):
        assert texts(workspace, question) == []
    assert texts(workspace, "where do the episodes come from")
    assert texts(workspace, "which version of the encoder do we run")


def test_without_words_the_newest_come_first(workspace: Workspace) -> None:
    for days, text in ((2, "the middle one"), (3, "the oldest one"), (1, "the newest")):
        said_at(workspace, text, days_ago(workspace, days))
    newest = ["the newest", "the middle one", "the oldest one"]
    assert texts(workspace) == newest
    assert texts(workspace, limit=1) == newest[:1]


def test_filters_have_to_fit(workspace: Workspace) -> None:
    say(workspace, "The port is 5433.", kind="constraint", tags=["DB"])
    say(workspace, "The port of Hamburg is large.", files=["file.txt"])
    assert texts(workspace, "port", kinds=["constraint"]) == ["The port is 5433."]
    assert texts(workspace, "port", tags=["db"]) == ["The port is 5433."]
    of_file = texts(workspace, "port", files=["file.txt"])
    assert of_file == ["The port of Hamburg is large."]
    assert texts(workspace, kinds=["fix"]) == []
    with pytest.raises(InvalidInput, match="kind must be one of"):
        found(workspace, kinds=["thought"])
    with pytest.raises(InvalidInput, match="limit must be at least 1"):
        found(workspace, limit=0)


def test_scopes_are_apart(workspace: Workspace, repository: Path) -> None:
    for scope in ("branch", "project", "user"):
        say(workspace, f"A rule for the {scope}.", scope=scope)
    assert len(texts(workspace, "rule")) == 3
    for scope in ("branch", "project", "user"):
        assert texts(workspace, "rule", scope=scope) == [f"A rule for the {scope}."]
    with pytest.raises(NotFound, match="There is no space 'team'"):
        found(workspace, "rule", scope="team")
    git(repository, "switch", "--quiet", "--create", "other")
    assert {*texts(workspace, "rule")} == {
        "A rule for the project.", "A rule for the user."
    }  # fmt: skip


def test_what_is_past_counts_only_where_it_is_asked_for(workspace: Workspace) -> None:
    old = say(workspace, "The port is 5432.").memory
    say(workspace, "Port 5433 it is now.", replaces=old.id)
    said_at(workspace, "The old port is rejected.", status=MemoryStatus.REJECTED)
    yesterday = days_ago(workspace, 1)
    said_at(workspace, "The port is free this week.", yesterday, expires=yesterday)
    assert texts(workspace, "port") == ["Port 5433 it is now."]
    assert len(texts(workspace, "port", past=True)) == 4
    say(workspace, "Ada lives by the port.", scope="user")
    assert texts(workspace, past=True, scope="user") == ["Ada lives by the port."]


def test_of_two_that_answer_alike_the_important_one_comes_first(
    workspace: Workspace,
) -> None:
    at = days_ago(workspace, 1)
    for share in (0.1, 0.9, 0.5):
        said_at(workspace, f"The port number {share}.", at, importance=share)
    ordered = [each.memory.importance for each in found(workspace, "port number")]
    assert ordered == [0.9, 0.5, 0.1]


def test_of_two_that_answer_alike_the_younger_one_comes_first(
    workspace: Workspace,
) -> None:
    said_at(workspace, "The port was 5433.", days_ago(workspace, 300))
    said_at(workspace, "The port was 5432.", days_ago(workspace, 3))
    assert texts(workspace, "port") == ["The port was 5432.", "The port was 5433."]


def test_age_halves_a_worth_down_to_a_half_but_for_what_lasts(
    workspace: Workspace,
) -> None:
    fact = said_at(workspace, "The port is 5433.", importance=1.0)
    rule = said_at(workspace, "Use tabs.", importance=1.0, kind=Category.CONVENTION)
    pinned = said_at(workspace, "Use git.", importance=1.0, pinned=True)
    at = fact.updated_at
    ages = [worth(fact, 0, at + timedelta(days=days)) for days in (0, 15, 30, 3000)]
    assert [round(each, 3) for each in ages] == [1, 0.707, 0.5, 0.5]
    assert worth(fact, 0, at - timedelta(days=9)) == 1
    later = at + timedelta(days=3000)
    assert [worth(each, 0, later) for each in (rule, pinned)] == [1, 1]


def test_a_memory_whose_files_changed_counts_less(
    workspace: Workspace, repository: Path
) -> None:
    (repository / "other.txt").write_text("same\n")
    git(repository, "add", "other.txt")
    git(repository, "commit", "--quiet", "--message=other")
    say(workspace, "The port is read first here.", files=["file.txt"])
    say(workspace, "The port is read later there.", files=["other.txt"])
    (repository / "other.txt").write_text("changed\n")
    git(repository, "commit", "--quiet", "--all", "--message=change")
    first, second = found(workspace, "port is read")
    assert (first.changed_files, second.changed_files) == (0, 1)
    assert second.score == pytest.approx(first.score / 2, rel=0.01)


def test_what_says_the_same_comes_once(workspace: Workspace) -> None:
    at = days_ago(workspace, 1)
    said_at(workspace, "The tests need a Postgres 16 server.", at)
    said_at(workspace, "The tests need the Postgres 16 server!", at, importance=0.9)
    said_at(workspace, "The tests need Docker.", at)
    assert texts(workspace, "what do the tests need") == [
        "The tests need the Postgres 16 server!", "The tests need Docker."
    ]  # fmt: skip


def test_a_space_that_cannot_be_read_is_named_and_the_rest_answers(
    workspace: Workspace,
) -> None:
    say(workspace, POSTGRES)
    (workspace.environment.home / "spaces" / "team.git").mkdir(parents=True)
    answer = recall(workspace, RecallQuery("Postgres"))
    assert [each.memory.text for each in answer.memories] == [POSTGRES]
    assert answer.unreachable == ("team",)
