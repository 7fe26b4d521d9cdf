"""Work in linked work trees, wherever the conversation was begun."""

from pathlib import Path
from typing import Any

import pytest
from support.events import event, note, now
from support.harness import CLIENT, git
from support.transcripts import claude_code_file, kept_by_claude_code
from support.workspaces import workspace_at

from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.commits import maker_of
from gitmem.actions.saving.hook_events import note_work_tree_state
from gitmem.documents.event import Client, Prompt, Start, Trigger
from gitmem.documents.session.session import Session
from gitmem.workspace import Workspace


@pytest.fixture
def workspace(repository: Path) -> Workspace:
    return workspace_at(repository)


@pytest.fixture
def beside(repository: Path, tmp_path: Path) -> Workspace:
    tree = tmp_path / "beside"
    git(repository, "worktree", "add", "--quiet", "-b", "side", str(tree))
    return workspace_at(tree)


def begin(workspace: Workspace, *edits: Path) -> None:
    """A conversation in the main work tree that edits these files."""
    folder = kept_by_claude_code(Path.home(), workspace.root)
    file = claude_code_file(
        folder, CLIENT, "Mend it.", cwd=workspace.root, edits=edits, began_at=now()
    )
    about: dict[str, Any] = {"root": str(workspace.root), "at": now()}
    client: dict[str, Any] = {"pid": 0, "started": "", "transcript": str(file)}
    note(
        workspace.root,
        event(Start, source="startup", **about),
        event(Client, **client, **about),
        event(Prompt, text="Mend it.", **about),
    )
    note_work_tree_state(workspace, CLIENT, "claude-code")
    for edited in edits:
        edited.write_text("x\n")


def captured(workspace: Workspace) -> Session:
    session = capture(workspace, CLIENT, Trigger.OBSERVED)
    assert session is not None
    return session


def commit(workspace: Workspace, name: str) -> str:
    git(workspace.root, "add", name)
    git(workspace.root, "commit", "--quiet", f"--message=Write {name}")
    return git(workspace.root, "rev-parse", "HEAD").strip()


def test_files_and_branch_are_those_of_the_touched_one(
    workspace: Workspace, beside: Workspace
) -> None:
    begin(workspace, workspace.root / "a.py", beside.root / "b.py")
    session = captured(workspace)
    assert [file.path for file in session.files] == ["a.py", "b.py"]
    assert session.branch == "side"


def test_one_that_was_removed_since_leaves_its_files(
    workspace: Workspace, beside: Workspace
) -> None:
    begin(workspace, beside.root / "b.py")
    captured(workspace)
    git(workspace.root, "worktree", "remove", "--force", str(beside.root))
    session = captured(workspace)
    assert ([file.path for file in session.files], session.branch) == (["b.py"], "main")


def test_its_commits_are_those_of_who_edited_there(
    workspace: Workspace, beside: Workspace
) -> None:
    begin(workspace, workspace.root / "a.py", beside.root / "b.py")
    made = commit(beside, "b.py")
    details = workspace.repository.commit_details(made)
    assert details is not None
    maker = maker_of(beside, details)
    assert maker is not None
    assert maker.client_session_id == CLIENT
    assert [each.subject for each in captured(workspace).commits] == ["Write b.py"]


def test_what_another_conversation_edited_there_is_its(
    workspace: Workspace, beside: Workspace
) -> None:
    begin(workspace, beside.root / "b.py")
    captured(workspace)
    about: dict[str, Any] = {"client": "other", "root": str(beside.root), "at": now()}
    note(workspace.root, event(Start, **about), event(Prompt, text="hi", **about))
    session = capture(beside, "other", Trigger.OBSERVED)
    assert session is None or session.files == ()
