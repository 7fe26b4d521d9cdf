"""Of work that nobody saw, a session has what no other one left behind."""

import os
import time

import pytest
from actions.saving.test_capture import begin, captured, commit, see
from support.workspaces import saved_session

from gitmem.actions.saving.conversation import Caller
from gitmem.documents.event import Edit, End, Prompt, Trigger
from gitmem.documents.kinds import SESSION
from gitmem.git.values import Change
from gitmem.lookup import find
from gitmem.workspace import Workspace

PERSON = Caller("cli")


def by_hand(workspace: Workspace, **arguments: object) -> set[str]:
    saved = saved_session(workspace, PERSON, **arguments)
    session = find(workspace, SESSION, str(saved.session_id))
    return {file.path for file in session.files}


def left_behind(workspace: Workspace, *names: str) -> None:
    """An assistant edits files, and its conversation ends without a commit."""
    begin(workspace)
    see(workspace, Prompt, text="Write them")
    for name in names:
        file = workspace.root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("x\n")
        see(workspace, Edit, path=name, change=Change.CREATED)


def test_what_an_ended_conversation_left_is_not_claimed(workspace: Workspace) -> None:
    left_behind(workspace, "src/pay.py", "src/late.py", "README")
    see(workspace, End)
    captured(workspace, Trigger.SESSION_END)
    (workspace.root / "own.py").write_text("x\n")
    assert by_hand(workspace, goal="Mend the login") == {"own.py"}
    for number in range(3):
        said = [f"{number}. src/pay.py rounds up, as README says."]
        assert by_hand(workspace, goal="Pay", decisions=said) == set()
    later = time.time() + 5
    os.utime(workspace.root / "src" / "late.py", (later, later))
    assert by_hand(workspace, goal="Late") == {"src/late.py"}


@pytest.mark.endurance
def test_what_a_killed_conversation_edited_is_not_claimed(workspace: Workspace) -> None:
    left_behind(workspace, "pay.py")
    see(workspace, End)  # and nothing saved it
    assert by_hand(workspace, goal="Mend the login") == set()


def test_what_an_open_conversation_edits_is_not_claimed(workspace: Workspace) -> None:
    left_behind(workspace, "pay.py")
    (workspace.root / "own.py").write_text("x\n")
    assert by_hand(workspace, goal="Mend pay.py and own.py") == {"own.py"}
    assert by_hand(workspace, goal="Mend pay.py and own.py") == set()


def test_who_deleted_a_file_has_it(workspace: Workspace) -> None:
    commit(workspace, "theirs.py", "own.py")
    begin(workspace)
    see(workspace, Prompt, text="Remove it")
    (workspace.root / "theirs.py").unlink()
    captured(workspace, Trigger.OBSERVED)
    see(workspace, End)
    captured(workspace, Trigger.SESSION_END)
    (workspace.root / "own.py").unlink()
    assert by_hand(workspace, goal="Mend the login") == {"own.py"}
