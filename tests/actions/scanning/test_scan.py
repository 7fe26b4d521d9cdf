"""What `ocm scan` finds: rules that came later see what was saved before them."""

from pathlib import Path
from typing import Any

import pytest
from support.conversations import keep
from support.harness import git, loose_object
from support.user_rule import HIDDEN, PATTERN, SAMPLE, put_rule
from support.workspaces import saved_id, saved_session, workspace_at

from gitmem.actions.scanning.scan import Scan, SecretLocation, Where, ids_of, scan
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.kinds import SESSION
from gitmem.errors import NotFound
from gitmem.git.files import replace_file
from gitmem.lookup import find
from gitmem.redaction.redact import follow, redact
from gitmem.redaction.user_rules import Setting
from gitmem.store.error_log import append_to_log
from gitmem.store.journal.beside import DIFF
from gitmem.workspace import Workspace


def looked(workspace: Workspace, only: set[str] | None = None) -> Scan:
    return scan(workspace, only, lambda *_: None)


def ruled(repository: Path) -> Workspace:
    put_rule(repository)
    return workspace_at(repository)


def saved(repository: Path, **values: Any) -> str:
    return saved_id(workspace_at(repository), **values)


def test_what_went_through_the_gate_has_nothing(repository: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    saved(repository, goal=f"Rotate {secret}", slug="rotate")
    found = looked(workspace_at(repository))
    assert (found.seen, found.gaps) == ({}, [])
    assert found.texts >= 3  # document, message, journal


def test_every_place_is_looked_at(repository: Path) -> None:
    workspace = workspace_at(repository)
    made = saved_session(workspace, goal=f"Close {HIDDEN}")
    assert made.session_id
    session = find(workspace, SESSION, made.session_id)
    keep(repository, session, [Turn(Speaker.PERSON, f"close\n{HIDDEN}")])
    diff = workspace.store.journal.beside(session.client_session_id, DIFF)
    replace_file(diff, f"+close\n+{HIDDEN}\n".encode())
    append_to_log(workspace.repository.common_dir, redact(f"{HIDDEN} failed\n"))
    note = f"Ocm-Session: {session.session_id}\nOcm-Goal: {HIDDEN}"
    git(repository, "notes", "--ref=ocm", "add", "-m", note)
    found = looked(ruled(repository))
    assert found.gaps == []
    assert {place.where for place in found.seen} == {*Where}
    assert {place.session_id for place in found.seen} == {session.id, None}
    assert [p.where for p in found.seen if p.session_id is None] == [Where.LOG]
    assert all(rules.keys() == {"ticket"} for rules in found.seen.values())
    assert HIDDEN not in repr(found)


def test_an_earlier_state_is_told_from_the_present_one(repository: Path) -> None:
    session_id = saved(repository, client_session_id="c", work_pending=[HIDDEN])
    saved(repository, client_session_id="c", work_pending=["rest"])
    found = looked(ruled(repository)).seen
    assert SecretLocation(session_id, Where.DOCUMENT, is_earlier=True) in found
    assert SecretLocation(session_id, Where.DOCUMENT, is_earlier=False) not in found


def test_one_session_alone_can_be_looked_at(repository: Path) -> None:
    one, _ = (saved(repository, goal=f"{n} {HIDDEN}", slug=n) for n in "ab")
    workspace = ruled(repository)
    found = looked(workspace, ids_of(workspace, one))
    assert {place.session_id for place in found.seen} == {one}
    assert found.texts < looked(workspace).texts
    with pytest.raises(NotFound):
        ids_of(workspace, "nothing")
    forgotten = "2026-02-23_14-32_cursor_gone"
    assert ids_of(workspace, forgotten) == {forgotten}


def test_what_is_damaged_is_told_and_the_rest_is_looked_at(repository: Path) -> None:
    one, other = (saved(repository, goal=f"{n} {HIDDEN}", slug=n) for n in "ab")
    workspace = ruled(repository)
    entry = workspace.store.memory().entry(one)
    assert entry
    loose = loose_object(repository / ".git", entry.oid)
    loose.chmod(0o644)
    loose.write_bytes(b"no object")
    found = looked(workspace_at(repository))
    assert (one, Where.DOCUMENT) in {(gap.session_id, gap.where) for gap in found.gaps}
    assert SecretLocation(other, Where.DOCUMENT, is_earlier=False) in found.seen


def test_without_git_the_present_state_is_scanned(repository: Path) -> None:
    saved(repository, goal=HIDDEN)
    workspace = workspace_at(repository, PATH="")
    follow((Setting("ticket", (PATTERN,), (SAMPLE,)),))
    found = looked(workspace)
    assert {gap.why for gap in found.gaps} == {"The git command does not run."}
    assert {p.where for p in found.seen if not p.is_earlier} >= {Where.DOCUMENT}
