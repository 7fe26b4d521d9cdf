"""The user's rules hold wherever text comes in, and break nothing that is there."""

import asyncio
import os
from pathlib import Path

import pytest
from support.commits import committed, remembered
from support.harness import CLIENT, git, make_repository, record
from support.transcripts import claude_code_file, kept_by_claude_code
from support.user_rule import HIDDEN, MARK, places_of, put_rule
from support.workspaces import saved_session, workspace_at

from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport
from gitmem.actions.linking.links import turn_on
from gitmem.actions.reading.documents import read_document
from gitmem.actions.reading.find import search
from gitmem.actions.saving.conversation import Caller
from gitmem.assistants.readers import reader_named
from gitmem.config import read_environment
from gitmem.documents.kinds import SESSION
from gitmem.lookup import find
from gitmem.redaction.redact import redact
from gitmem.server.client import Worker
from gitmem.server.failure import log_trouble
from gitmem.store.registry import Registration, registry_path, with_registration
from gitmem.workspace import Workspace


@pytest.fixture
def ruled(repository: Path) -> Workspace:
    put_rule(repository)
    return workspace_at(repository)


def document(workspace: Workspace, session_id: str | None) -> str:
    return read_document(workspace, session_id or "").text


def test_no_checkpoint_or_index_has_it(repository: Path, ruled: Workspace) -> None:
    saved = saved_session(
        ruled, goal=f"Close {HIDDEN}", decisions=[f"{HIDDEN} is no bug"]
    )
    assert search(ruled, "close bug", limit=1).results
    assert MARK in document(ruled, saved.session_id)
    assert f"Close {MARK}" in git(
        repository, "log", "-1", "--format=%B", "refs/ocm/sessions"
    )
    assert places_of(repository, HIDDEN) == []


def test_an_import_and_what_was_said_have_nothing(
    repository: Path, ruled: Workspace, sealed_environment: Path
) -> None:
    kept = kept_by_claude_code(sealed_environment, repository)
    claude_code_file(kept, CLIENT, "Begin", f"Then {HIDDEN}", cwd=repository)
    asked = ImportRequest(reader=reader_named("claude-code"))
    bring_in(ruled, asked, wanted_files(ruled, asked), ImportReport(), lambda *_: None)
    assert MARK in git(repository, "log", "-1", "-p", "refs/ocm/conversations")
    assert places_of(repository, HIDDEN) == []


def test_a_note_on_a_commit_has_nothing(repository: Path) -> None:
    sha = committed(repository, "a.py", "x")
    session_id = remembered(workspace_at(repository), "c", sha, goal=f"Close {HIDDEN}")
    put_rule(repository)
    turn_on(workspace_at(repository))
    note = git(repository, "log", "-1", "--notes=ocm", "--format=%N", sha)
    assert f"Ocm-Session: {session_id}" in note
    assert f"Ocm-Goal: Close {MARK}" in note


def test_the_log_has_nothing(repository: Path, ruled: Workspace) -> None:
    log = log_trouble(ruled.environment, ValueError(HIDDEN))
    assert log
    assert MARK in log.read_text()
    assert places_of(repository, HIDDEN) == []


def test_what_was_pending_before_the_rule_is_committed_by_it(repository: Path) -> None:
    workspace_at(repository).store.append(record(goal=f"Close {HIDDEN}"))
    put_rule(repository)
    [session] = workspace_at(repository).current_sessions().newest()
    assert session.goal == f"Close {MARK}"


def test_names_from_before_the_rule_stay(repository: Path) -> None:
    client = f"{HIDDEN}-conversation"
    caller = Caller("cursor")
    values = {"client_session_id": client, "slug": "acme-271828", "goal": "Begin"}
    saved = saved_session(workspace_at(repository), caller, **values)
    with (repository / ".git" / "config").open("a") as config:
        config.write('[ocm "redact.loud"]\npattern = (?i)acme|cursor\nsample = Acme\n')
    again = saved_session(
        workspace_at(repository), caller, client_session_id=client, goal="Acme"
    )
    assert again.session_id == saved.session_id
    session = find(workspace_at(repository), SESSION, saved.session_id or "")
    assert (session.client_session_id, session.tool) == (client, "cursor")
    assert session.goal == "[REDACTED:loud]"
    message = git(repository, "log", "-1", "--format=%B", "refs/ocm/sessions")
    assert f"Ocm-Session: {saved.session_id}\nOcm-Tool: cursor" in message


def test_commit_shows_nothing_saved_before_the_rule(repository: Path) -> None:
    goal = f"{'x' * 490}{HIDDEN}"
    saved_session(workspace_at(repository), client_session_id="one", goal=goal)
    put_rule(repository)
    saved_session(workspace_at(repository), client_session_id="one", decisions=["none"])
    message = git(repository, "log", "-1", "--format=%B", "refs/ocm/sessions")
    assert "none" in message
    assert "ACME" not in message


def test_figures_of_our_own_are_nobodys_secret(repository: Path) -> None:
    with (repository / ".git" / "config").open("a") as config:
        config.write('[ocm "redact.digit"]\npattern = \\\\b[0-9]\\\\b\nsample = 1\n')
    saved_session(workspace_at(repository), goal="Close 1 of 2")
    [session] = workspace_at(repository).current_sessions().newest()
    assert session.goal == "Close [REDACTED:digit] of [REDACTED:digit]"


def test_a_call_of_the_server_follows_them(repository: Path) -> None:
    put_rule(repository)
    environment = read_environment(dict(os.environ), repository, Path.home())
    redacted = asyncio.run(Worker(environment).run(lambda _: redact(HIDDEN)))
    assert (redacted, redact(HIDDEN)) == (MARK, HIDDEN)


def test_another_repository_has_its_own(repository: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    put_rule(other)
    for folder in (repository, other):
        workspace = workspace_at(folder)
        workspace.store.append(record(goal=f"Close {HIDDEN}", slug=folder.name))
    known = Registration("other", str(other), str(other / ".git"), "2026")
    home = workspace_at(other).environment.home
    home.mkdir()
    registry_path(home).write_bytes(with_registration(known, None) or b"")
    search(workspace_at(repository), "close", scope="global")
    subject = "log", "-1", "--format=%s", "refs/ocm/sessions"
    assert git(repository, *subject) == f"repository: Close {HIDDEN}"
    assert git(other, *subject) == f"other: Close {MARK}"
    assert redact(HIDDEN) == HIDDEN
