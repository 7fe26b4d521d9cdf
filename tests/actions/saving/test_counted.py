"""Saving what hooks saw after so many edits."""

from pathlib import Path

import pytest
from support.events import event, note
from support.harness import git
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.saving.conversation import Caller
from gitmem.actions.saving.counted import count_edits, save_after_edits
from gitmem.documents.event import Edit, Heard, Start
from gitmem.store.journal.beside import EDITS, count_down
from gitmem.workspace import Workspace

ONE = "11111111-2222-4333-8444-555555555555"


@pytest.fixture
def workspace(repository: Path) -> Workspace:
    git(repository, "config", "ocm.checkpoint.edits", "3")
    note(repository, event(Start, client=ONE, root=str(repository), source="startup"))
    return workspace_at(repository)


def edit(workspace: Workspace, times: int = 1) -> None:
    for _ in range(times):
        edited = event(Edit, client=ONE, root=str(workspace.root), path="a.py")
        note(workspace.root, edited)


def commits(workspace: Workspace) -> int:
    if not git(workspace.root, "for-each-ref", "refs/ocm/sessions"):
        return 0
    return int(git(workspace.root, "rev-list", "--count", "refs/ocm/sessions"))


def left(workspace: Workspace) -> int:
    file = workspace.store.journal.beside(ONE, EDITS)
    return next(number for number in range(1, 1000) if count_down(file))


def test_edits_are_saved_once_there_are_so_many(workspace: Workspace) -> None:
    edit(workspace, 2)
    save_after_edits(workspace, ONE)
    assert (commits(workspace), left(workspace)) == (0, 1)
    edit(workspace)
    save_after_edits(workspace, ONE)
    assert (commits(workspace), left(workspace)) == (1, 3)
    edit(workspace)
    save_after_edits(workspace, ONE)
    save_after_edits(workspace, ONE)
    assert (commits(workspace), left(workspace)) == (1, 2)


def test_a_checkpoint_makes_edits_count_from_there(workspace: Workspace) -> None:
    edit(workspace, 2)
    saved_session(workspace, Caller("claude-code"), client_session_id=ONE, goal="g")
    edit(workspace, 2)
    save_after_edits(workspace, ONE)
    assert (commits(workspace), left(workspace)) == (1, 1)


def test_files_that_a_transcript_tells_count(workspace: Workspace) -> None:
    root, files = str(workspace.root), ("a.py", "b.py", "c.py")
    heard = event(Heard, client=ONE, root=root, transcript="/t", offset=1, files=files)
    note(workspace.root, heard)
    save_after_edits(workspace, ONE)
    assert commits(workspace) == 1


@every_row(("setting", "most"), [("0", 500), ("-1", 500), ("many", 20)])
def test_the_user_says_how_many_are_saved(
    workspace: Workspace, setting: str, most: int
) -> None:
    git(workspace.root, "config", "ocm.checkpoint.edits", setting)
    edit(workspace)
    save_after_edits(workspace, ONE)
    assert commits(workspace) == 0
    count_edits(workspace, ONE)
    assert left(workspace) in (most, most - 3)


def test_whoever_was_not_told_a_number_asks(workspace: Workspace) -> None:
    assert left(workspace) == 1
    assert left(workspace) == 20
