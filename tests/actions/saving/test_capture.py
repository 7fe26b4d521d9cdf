"""Saving what hooks saw with what git says: files, commits, and whose they are."""

import os
from pathlib import Path
from typing import Any

from support.events import event, note, now
from support.harness import CLIENT, git, make_repository
from support.installing import installed
from support.workspaces import saved_session, workspace_at

from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.hook_events import note_work_tree_state
from gitmem.documents.event import Committed, Edit, End, Event, Prompt, Start, Trigger
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.session import Session, Status
from gitmem.git.values import Change
from gitmem.lookup import find
from gitmem.workspace import Workspace


def see(workspace: Workspace, kind: type[Event], **values: Any) -> None:
    here = {"at": now(), "root": str(workspace.root)}
    note(workspace.root, event(kind, **{**here, **values}))


def begin(workspace: Workspace, client: str = CLIENT) -> None:
    see(workspace, Start, client=client)
    note_work_tree_state(workspace, client, "claude-code")


def commit(workspace: Workspace, *paths: str, subject: str = "work") -> str:
    for path in paths:
        (workspace.root / path).write_text(f"{subject}\n")
    git(workspace.root, "add", *paths)
    git(workspace.root, "commit", "--quiet", f"--message={subject}")
    return git(workspace.root, "rev-parse", "HEAD")[:12]


def captured(
    workspace: Workspace, trigger: Trigger = Trigger.GIT_COMMIT, client: str = CLIENT
) -> Session:
    session = capture(workspace, client, trigger)
    assert session is not None
    return session


def paths(session: Session) -> list[str]:
    return [file.path for file in session.files]


def test_a_commit_of_edited_files_is_the_sessions(workspace: Workspace) -> None:
    begin(workspace)
    see(workspace, Prompt, text="Write it")
    see(workspace, Edit, path="new.py", change=Change.CREATED)
    sha = commit(workspace, "new.py", subject="Write new.py")
    session = captured(workspace)
    assert [(c.sha, c.subject) for c in session.commits] == [(sha, "Write new.py")]
    assert [(f.path, f.change) for f in session.files] == [("new.py", Change.CREATED)]
    assert (session.goal, session.trigger) == ("Write it", Trigger.GIT_COMMIT)
    assert (session.branch, session.git_sha_end) == (
        "main",
        git(workspace.root, "rev-parse", "HEAD"),
    )
    assert session.diff_summary.startswith("1 file created.")


def test_without_a_start_only_edits_count(workspace: Workspace) -> None:
    (workspace.root / "mine").write_text("x\n")
    see(workspace, Start, source="clear")  # and the client was left before the brief
    see(workspace, End)
    assert capture(workspace, CLIENT, Trigger.SESSION_END) is None
    (workspace.root / "own").write_text("x\n")
    see(workspace, Edit, path="own")
    session = captured(workspace)
    assert paths(session) == ["own"]
    assert session.changed_meanwhile == ("mine",)


def test_dirty_files_count_once_they_change(workspace: Workspace) -> None:
    for name in ("before", "both", "again"):
        (workspace.root / name).write_text("x\n")
        os.utime(workspace.root / name, (0, 0))
    begin(workspace)
    see(workspace, Edit, path="both")
    for name in ("again", "after"):
        (workspace.root / name).write_text("y\n")
    session = captured(workspace)
    assert set(paths(session)) == {"both", "again", "after"}


def test_commit_seen_by_the_hook_is_listed(workspace: Workspace) -> None:
    begin(workspace)
    see(workspace, Edit, path="mine.py")
    git(workspace.root, "config", "user.email", "other@example.com")
    sha = commit(workspace, "by-hand.txt")
    git(workspace.root, "config", "--unset", "user.email")
    see(workspace, Committed, sha=sha, subject="work")
    session = captured(workspace)
    assert [c.sha for c in session.commits] == [sha]
    assert "by-hand.txt" in set(paths(session))


def test_commit_before_a_start_or_a_resume_is_not_listed(workspace: Workspace) -> None:
    commit(workspace, "early")
    begin(workspace)
    see(workspace, Prompt, text="x")
    see(workspace, End)
    assert captured(workspace, Trigger.SESSION_END).commits == ()
    commit(workspace, "meanwhile")
    begin(workspace)
    see(workspace, Edit, path="again")
    commit(workspace, "again", subject="again")
    assert [c.subject for c in captured(workspace).commits] == ["again"]


def test_two_conversations_share_no_files_or_commits(workspace: Workspace) -> None:
    begin(workspace)
    begin(workspace, "other")
    see(workspace, Edit, path="mine")
    see(workspace, Edit, path="theirs", client="other")
    (workspace.root / "theirs").write_text("x\n")
    commit(workspace, "mine")
    mine = captured(workspace)
    theirs = captured(workspace, client="other")
    assert paths(mine) == ["mine"]
    assert paths(theirs) == ["theirs"]
    assert (len(mine.commits), len(theirs.commits)) == (1, 0)


def test_fetched_commit_is_not_listed(workspace: Workspace, tmp_path: Path) -> None:
    git(
        workspace.root, "worktree", "add", "--quiet", "-bthere", str(tmp_path / "there")
    )
    begin(workspace)
    see(workspace, Prompt, text="What is this?")
    commit(workspace_at(tmp_path / "there"), "theirs")
    git(workspace.root, "merge", "--quiet", "--ff-only", "there")
    session = captured(workspace)
    assert (session.commits, session.files) == ((), ())


def test_uncommitted_work_is_nobody_elses(workspace: Workspace) -> None:
    begin(workspace)
    begin(workspace, "other")
    see(workspace, Edit, path="mine")
    see(workspace, Edit, path="theirs", client="other")
    for path in ("mine", "theirs"):
        (workspace.root / path).write_text("x\n")
    see(workspace, End, client="other")
    mine = captured(workspace)
    assert paths(mine) == ["mine"]


def test_commit_of_another_session_is_not_listed(workspace: Workspace) -> None:
    begin(workspace)
    begin(workspace, "other")
    see(workspace, Prompt, text="x", client="other")
    see(workspace, Edit, path="mine")
    commit(workspace, "mine")
    assert len(captured(workspace).commits) == 1
    assert captured(workspace, client="other").commits == ()


def test_nothing_seen_is_nothing_saved(workspace: Workspace) -> None:
    assert capture(workspace, CLIENT, Trigger.GIT_COMMIT) is None
    begin(workspace)
    see(workspace, End)
    assert capture(workspace, CLIENT, Trigger.SESSION_END) is None
    assert workspace.store.memory().commit is None


def test_after_the_end_the_session_stays_closed(workspace: Workspace) -> None:
    begin(workspace)
    see(workspace, Prompt, text="x")
    make_repository(workspace.root / "inner")  # which is no file of the session
    first = captured(workspace)
    before = git(workspace.root, "rev-parse", "refs/ocm/sessions")
    assert captured(workspace) == first  # there is no news
    assert git(workspace.root, "rev-parse", "refs/ocm/sessions") == before
    see(workspace, End)
    session = captured(workspace, Trigger.SESSION_END)
    assert (session.status, session.trigger) == (Status.CLOSED, Trigger.SESSION_END)
    assert (session.ended_at, session.files) == (session.updated_at, ())


def test_checkpoint_takes_along_what_hooks_saw(workspace: Workspace) -> None:
    begin(workspace)
    see(workspace, Prompt, text="asked")
    see(workspace, Edit, path="file.txt")
    saved = saved_session(workspace, session_id=CLIENT, goal="Written.")
    assert saved.session_id is not None
    session = find(workspace, SESSION, saved.session_id)
    assert (session.goal, session.client_session_id) == ("Written.", CLIENT)
    assert paths(session) == ["file.txt"]
    assert git(workspace.root, "rev-list", "--count", "refs/ocm/sessions") == "1"


def test_the_first_commit_of_a_repository_is_the_sessions(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "new")
    workspace = workspace_at(tmp_path / "new")
    begin(workspace)
    see(workspace, Edit, path="first")
    sha = commit(workspace, "first")
    assert [c.sha for c in captured(workspace).commits] == [sha]


def test_files_of_init_are_nobodys_work_until_changed(workspace: Workspace) -> None:
    begin(workspace)
    installed(workspace, "claude-code")
    see(workspace, Edit, path="new.py", change=Change.CREATED)
    (workspace.root / "new.py").write_text("pass\n")
    assert paths(captured(workspace)) == ["new.py"]
    git(workspace.root, "add", "--all")
    git(workspace.root, "commit", "--quiet", "--message=Write it")
    assert paths(captured(workspace)) == ["new.py"]
    with (workspace.root / "CLAUDE.md").open("a") as rules:
        rules.write("Write tests first.\n")
    changed = paths(captured(workspace))
    assert "CLAUDE.md" in changed
    assert ".claude/settings.json" not in changed


def test_settings_that_a_client_writes_are_nobodys_work(workspace: Workspace) -> None:
    installed(workspace, "claude-code", "opencode", is_local=False)
    git(workspace.root, "add", "--all")
    git(workspace.root, "commit", "--quiet", "--message=memory")
    begin(workspace)
    settings = ("opencode.json", ".claude/settings.local.json", ".mcp.json")
    for path in settings:
        (workspace.root / path).write_text('{"theme": "dark"}\n')
    see(workspace, Edit, path="new.py", change=Change.CREATED)
    (workspace.root / "new.py").write_text("pass\n")
    session = captured(workspace)
    assert (paths(session), session.changed_meanwhile) == (["new.py"], ())
    see(workspace, Edit, path="opencode.json")
    assert paths(captured(workspace)) == ["new.py", "opencode.json"]


def test_new_for_git_is_new_whatever_hooks_say(workspace: Workspace) -> None:
    begin(workspace)
    see(workspace, Edit, path="made-by-shell.py", change=Change.MODIFIED)
    workspace.current_sessions()
    (workspace.root / "made-by-shell.py").write_text("pass\n")
    [file] = captured(workspace).files
    assert file.change is Change.CREATED
