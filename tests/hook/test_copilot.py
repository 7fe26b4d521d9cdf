"""Copilot CLI's hooks in a work tree: its own, Claude Code's, and both."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hook.calls import COPILOT, Call, Hear, events, kinds, recorded, run_command
from hook.launched import ONE, project_at
from support.events import event, note, now
from support.harness import git
from support.installing import put
from support.rounds import every_row
from support.workspaces import saved_session, workspace_at

from gitmem.actions.installing.install import planned
from gitmem.actions.installing.plan import carry_out
from gitmem.documents.event import Edit, Start, WorkTreeState
from gitmem.git.values import Change
from gitmem.hook.observe import MOST_FILES
from gitmem.resources import resource
from gitmem.store.file_notes import FileNotes


def told(name: str, root: Path) -> Call:
    """A record, in the conversation ONE."""
    call = recorded(COPILOT, name, root)
    return Call({**call.payload, "session_id": ONE}, call.variables)


@pytest.mark.parametrize("named", ["copilot", "claude-code"])
def test_a_conversation_is_noted_as_recorded(
    repository: Path, hear: Hear, named: str
) -> None:
    list(carry_out(planned(workspace_at(repository), [named]).steps))
    names = ("SessionStart-new", "UserPromptSubmit", "PostToolUse-Write", "Stop")
    for name in (*names, "PreCompact-auto", "SessionEnd-complete"):
        hear(told(name, repository), named)
    expected = ["Start", "WorkTreeState", "Prompt", "Edit", "Compaction", "End"]
    assert kinds(repository, ONE) == expected
    assert {each.tool for each in events(repository, ONE)} == {"copilot"}


def test_an_event_that_both_files_tell_counts_once(
    repository: Path, hear: Hear
) -> None:
    for name in ("copilot", "claude-code"):
        list(carry_out(planned(workspace_at(repository), [name]).steps))
    for name in ("SessionStart-new", "UserPromptSubmit", "PostToolUse-Edit"):
        assert hear(told(name, repository), "claude-code") == ""
        hear(told(name, repository), "copilot")
    assert kinds(repository, ONE) == ["Start", "WorkTreeState", "Prompt", "Edit"]


def test_hooks_of_the_user_count_where_the_user_wants_them(
    repository: Path, hear: Hear
) -> None:
    """Beside those of Claude Code in the work tree."""
    own = Path.home() / ".copilot" / "hooks" / "opencodememory.json"
    put(own, resource("hooks/copilot/hooks.json").read_bytes())
    git(repository, "config", "ocm.everywhere", "true")
    hear(told("PostToolUse-Edit", repository), "claude-code")
    assert kinds(repository, ONE) == []
    git(repository, "config", "--unset", "ocm.everywhere")
    hear(told("PostToolUse-Edit", repository), "claude-code")
    assert kinds(repository, ONE) == ["Start", "Edit"]


def test_all_files_of_a_patch_are_noted(repository: Path, hear: Hear) -> None:
    hear(told("PostToolUse-apply_patch", repository), "copilot")
    edits = [e for e in events(repository, ONE) if isinstance(e, Edit)]
    assert [(each.path, each.change) for each in edits] == [
        ("new.txt", Change.CREATED),
        ("hello.txt", Change.MODIFIED),
    ]


def test_a_patch_of_very_many_files_is_noted_in_part(
    repository: Path, hear: Hear
) -> None:
    call = told("PostToolUse-apply_patch", repository)
    patch = "".join(f"*** Add File: {n}\n+1\n" for n in range(MOST_FILES + 9))
    hear(Call({**call.payload, "tool_input": patch}, call.variables), "copilot")
    assert kinds(repository, ONE) == ["Start", *["Edit"] * MOST_FILES]


@every_row(("name", "path"), [("Write", "hello.txt"), ("apply_patch", "new.txt")])
def test_what_is_known_of_a_file_is_told_before_an_edit(
    repository: Path, hear: Hear, name: str, path: str
) -> None:
    project = project_at(repository)
    FileNotes(repository / ".git" / "ocm").write("", {path: [f"decision: Keep {path}"]})
    call = told(f"PreToolUse-{name}", repository)
    run_command(f"'{project.run}' recall copilot", call, repository)
    assert json.loads(project.told.read_bytes()) == call.payload
    hear(told("UserPromptSubmit", repository), "copilot")
    out = hear(call, "copilot")
    assert f"decision: Keep {path}" in json.loads(out)["additionalContext"]


def test_its_hooks_have_the_shape_that_it_reads() -> None:
    template = json.loads(resource("hooks/copilot/hooks.json").read_text("utf-8"))
    assert template["version"] == 1
    for [hook] in template["hooks"].values():
        assert hook["type"] == "command"
        assert set(hook) <= {"type", "bash", "timeout", "matcher"}
        assert hook["bash"].endswith(" copilot")  # a `command` would fail on Windows


def test_the_brief_comes_again_with_the_prompt_after_a_compaction(
    repository: Path, hear: Hear
) -> None:
    """It tells of no beginning then."""
    saved_session(workspace_at(repository), goal="Cache the trees")
    hear(told("SessionStart-new", repository), "copilot")
    assert hear(told("UserPromptSubmit", repository), "copilot") == ""
    hear(told("PreCompact-auto", repository), "copilot")
    out = hear(told("UserPromptSubmit", repository), "copilot")
    assert "Cache the trees" in json.loads(out)["additionalContext"]
    assert hear(told("UserPromptSubmit", repository), "copilot") == ""


def test_a_first_prompt_that_is_heard_before_the_start_changes_no_brief(
    repository: Path, hear: Hear
) -> None:
    """It tells of both at once."""
    saved_session(
        workspace_at(repository), goal="Cache the trees", work_pending=["Measure"]
    )
    call = told("UserPromptSubmit", repository)
    asked = {"prompt": "Draw a red circle on the canvas"}
    hear(Call({**call.payload, **asked}, call.variables), "copilot")
    out = hear(told("SessionStart-new", repository), "copilot")
    assert '\\"Continue\\" means' in out
    assert "red circle" not in out


def test_a_resumed_conversation_is_told_all_again(repository: Path, hear: Hear) -> None:
    """Its context has lost what the first beginning was told."""
    saved_session(workspace_at(repository), goal="Cache the trees")
    known: dict[str, Any] = {"client": ONE, "root": str(repository), "tool": "copilot"}
    known["at"] = now() + timedelta(hours=1)
    note(repository, event(Start, source="new", **known))
    note(repository, event(WorkTreeState, branch="main", head=None, dirty=(), **known))
    out = hear(told("SessionStart-resume", repository), "copilot")
    assert "Cache the trees" in out
