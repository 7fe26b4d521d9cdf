"""What is stored of a session now, redacted by rules that came later."""

from pathlib import Path

from support.conversations import keep
from support.harness import git
from support.user_rule import HIDDEN, MARK, put_rule
from support.workspaces import saved_session, workspace_at

from gitmem.actions.scanning.rewrite import redact_stored
from gitmem.actions.scanning.scan import Where, scan
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import Session
from gitmem.indexing import caught_up_index
from gitmem.lookup import find
from gitmem.workspace import Workspace


def made(repository: Path) -> tuple[Workspace, Session]:
    """A session that has something, by a rule that came after it."""
    workspace = workspace_at(repository)
    saved = saved_session(workspace, goal=f"Close {HIDDEN}", decisions=["Use XSLT"])
    session = find(workspace, SESSION, saved.session_id or "")
    keep(repository, session, [Turn(Speaker.PERSON, f"Now close {HIDDEN}.")])
    put_rule(repository)
    return workspace_at(repository), session


def test_the_session_stays_and_what_was_seen_is_gone(repository: Path) -> None:
    workspace, session = made(repository)
    redact_stored(workspace, {session.id})
    now = workspace.store.memory().document(session.id)
    assert now
    assert (now.goal, now.decisions) == (f"Close {MARK}", session.decisions)
    assert f"Now close {MARK}." in (workspace.conversations.text_like(now.id) or "")
    found = scan(workspace, None, lambda *_: None).seen
    left = {place.where for place in found if not place.is_earlier}
    assert left == {Where.JOURNAL, Where.MESSAGE}


def test_a_second_time_writes_nothing(repository: Path) -> None:
    workspace, session = made(repository)
    redact_stored(workspace, {session.id, "2026-02-23_14-32_cursor_gone"})
    tips = git(repository, "for-each-ref", "refs/ocm")
    redact_stored(workspace, {session.id})
    assert git(repository, "for-each-ref", "refs/ocm") == tips
    subject = git(repository, "log", "-1", "--format=%s", "refs/ocm/sessions")
    assert subject == "redact: 1 session"


def test_no_file_of_the_index_has_its_words_any_longer(repository: Path) -> None:
    workspace, session = made(repository)
    caught_up_index(workspace)
    segments = set(workspace.index_folder.glob("*.term"))
    redact_stored(workspace, {session.id})
    assert segments
    assert not segments & set(workspace.index_folder.glob("*.term"))
