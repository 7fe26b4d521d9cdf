"""VS Code, after its documents and what others logged of it; it was never run here."""

import json
from pathlib import Path
from typing import Any

from support.installing import installed, uninstalled
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.known import calling_client
from gitmem.assistants.vscode import VSCODE
from gitmem.git.values import Change

TRANSCRIPT = "/x/workspaceStorage/1/GitHub.copilot-chat/transcripts/c-1.jsonl"
PATCH = "*** Begin Patch\n*** Add File: a\n+1\n*** Delete File: b\n*** End Patch\n"


def logged(event: str, **values: Any) -> dict[str, Any]:
    """In snake case, as real ones were seen."""
    return {
        "timestamp": "2026-04-13T15:18:56.490Z",
        "hook_event_name": event,
        "session_id": "c-1",
        "transcript_path": TRANSCRIPT,
        "cwd": "/project",
        **values,
    }


@every_row("named", ["copilot", "claude-code"])
@every_row(
    "payload",
    [logged("Stop"), {"sessionId": "c-1", "hookEventName": "Stop", "cwd": "/project"}],
)
def test_it_is_known_whoevers_file_it_runs(named: str, payload: dict[str, Any]) -> None:
    caller = calling_client(named, payload, {"CLAUDECODE": "1"})
    assert caller.name == "vscode"
    seen = caller.read(payload)
    assert seen
    assert (seen.kind, seen.client_session_id) == (EventKind.TURN_END, "c-1")


@every_row(
    ("tool", "given", "edits"),
    [
        ("create_file", {"filePath": "a"}, [("a", Change.CREATED)]),
        ("insert_edit_into_file", {"filePath": "a"}, [("a", Change.MODIFIED)]),
        (
            "multi_replace_string_in_file",
            {"replacements": [{"filePath": "a"}, {"filePath": "b"}]},
            [("a", Change.MODIFIED), ("b", Change.MODIFIED)],
        ),
        (
            "apply_patch",
            {"input": PATCH},
            [("a", Change.CREATED), ("b", Change.DELETED)],
        ),
    ],
)
@every_row("event", ["PreToolUse", "PostToolUse"])
def test_each_tool_that_edits_names_its_files(
    event: str,
    tool: str,
    given: dict[str, Any],
    edits: list[tuple[str, Change]],
) -> None:
    assert VSCODE.hooks
    seen = VSCODE.hooks.read(logged(event, tool_name=tool, tool_input=given))
    assert seen
    assert [(seen.path, seen.change), *seen.more_edits] == edits


def test_it_is_told_before_an_edit_and_not_at_a_prompt() -> None:
    assert VSCODE.hooks
    told = json.loads(VSCODE.hooks.context(EventKind.BEFORE_EDIT, "x"))
    specific = {"hookEventName": "PreToolUse", "additionalContext": "x"}
    assert told == {"hookSpecificOutput": specific}
    assert VSCODE.hooks.context(EventKind.PROMPT, "x") == ""


def test_its_server_is_that_of_the_open_folder(repository: Path) -> None:
    there = repository / ".vscode" / "mcp.json"
    there.parent.mkdir()
    there.write_text('{\n\t"inputs": [], // none\n\t"servers": {}\n}\n')
    before = there.read_bytes()
    workspace = workspace_at(repository)
    installed(workspace, "vscode")
    text = there.read_text()
    assert '"OCM_PROJECT_DIR": "${workspaceFolder}"' in text
    assert '"type": "stdio"' in text
    assert (repository / ".github" / "hooks" / "opencodememory.json").exists()
    uninstalled(workspace)
    assert there.read_bytes() == before
    assert not (repository / ".github").exists()
