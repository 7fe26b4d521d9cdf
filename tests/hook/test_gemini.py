"""A conversation of Gemini CLI as its hooks see it, from records of version 0.61.0."""

import json
from pathlib import Path
from typing import Any

from hook.calls import GEMINI, Call, Hear, events, kinds, recorded
from support.harness import git
from support.workspaces import saved_session, workspace_at

from gitmem.documents.event import Edit, Prompt
from gitmem.git.values import Change

SESSION = "5e051830-0f4d-42b4-9b36-f5c8e31b2023"


def call(root: Path, name: str, **values: Any) -> Call:
    found = recorded(GEMINI, name, root)
    return Call({**found.payload, **values}, found.variables)


def test_a_conversation_is_noted_as_recorded(repository: Path, hear: Hear) -> None:
    names = ("SessionStart-startup", "BeforeAgent", "PreCompress-auto")
    for name in (*names, "AfterTool-write_file", "AfterTool-replace", "AfterAgent"):
        hear(call(repository, name), "gemini-cli")
    hear(call(repository, "SessionEnd-exit"), "gemini-cli")
    assert kinds(repository, SESSION) == [
        *("Start", "WorkTreeState", "Prompt", "Edit", "Edit", "End")
    ]
    noted = events(repository, SESSION)
    assert [e.text for e in noted if isinstance(e, Prompt)] == ["do it"]
    changes = [(e.path, e.change) for e in noted if isinstance(e, Edit)]
    assert changes == [("hello.txt", Change.CREATED), ("hello.txt", Change.MODIFIED)]


def test_the_brief_and_the_id_reach_the_model(repository: Path, hear: Hear) -> None:
    start = json.loads(hear(call(repository, "SessionStart-startup"), "gemini-cli"))
    assert SESSION in start["hookSpecificOutput"]["additionalContext"]
    checkpoint = "BeforeTool-mcp_opencodememory_ocm__checkpoint"
    asked = call(repository, checkpoint, tool_input={"goal": "g"})
    answer = json.loads(hear(asked, "gemini-cli"))["hookSpecificOutput"]
    assert answer["tool_input"] == {"goal": "g", "session_id": SESSION}


def test_a_nudge_is_no_prompt(repository: Path, hear: Hear) -> None:
    """The next prompt that Gemini CLI tells of is the reason why it went on."""
    git(repository, "config", "ocm.nudge.edits", "1")
    for name in ("SessionStart-startup", "BeforeAgent", "AfterTool-write_file"):
        hear(call(repository, name), "gemini-cli")
    nudge = json.loads(hear(call(repository, "AfterAgent"), "gemini-cli"))
    assert nudge["decision"] == "block"
    hear(call(repository, "BeforeAgent", prompt=nudge["reason"]), "gemini-cli")
    again = call(repository, "AfterAgent", stop_hook_active=True)
    assert hear(again, "gemini-cli") == ""
    prompts = [e.text for e in events(repository, SESSION) if isinstance(e, Prompt)]
    assert prompts == ["do it"]


def told_at_prompt(root: Path, hear: Hear, prompt: str, **values: Any) -> str:
    out = hear(call(root, "BeforeAgent", prompt=prompt, **values), "gemini-cli")
    answer = json.loads(out)["hookSpecificOutput"] if out else {"additionalContext": ""}
    return str(answer["additionalContext"])


def test_a_brief_comes_with_the_prompt_after_a_compaction(
    repository: Path, hear: Hear
) -> None:
    """Gemini CLI takes no text from a hook as it compacts a context, or clears it."""
    hear(call(repository, "SessionStart-startup"), "gemini-cli")
    assert told_at_prompt(repository, hear, "one") == ""
    hear(call(repository, "AfterTool-write_file"), "gemini-cli")
    hear(call(repository, "PreCompress-auto", trigger="manual"), "gemini-cli")
    assert "Go on with this" in told_at_prompt(repository, hear, "two")
    assert told_at_prompt(repository, hear, "three") == ""


def test_a_brief_comes_with_the_prompt_after_clear(
    repository: Path, hear: Hear
) -> None:
    saved_session(workspace_at(repository), goal="Stop the leak.", slug="stop-leak")
    new = {"session_id": "c-2"}
    hear(call(repository, "SessionStart-startup", source="clear", **new), "gemini-cli")
    told = told_at_prompt(repository, hear, "go on", **new)
    assert "session id is c-2" in told
    assert '"Continue" means stop-leak' in told
    assert told_at_prompt(repository, hear, "and now", **new) == ""


def test_a_resumed_conversation_is_told_all_again(repository: Path, hear: Hear) -> None:
    """Gemini CLI leaves out of a resumed context what began with a text of a hook."""
    saved_session(workspace_at(repository), goal="Stop the leak.")
    for name in ("SessionStart-startup", "BeforeAgent", "SessionEnd-exit"):
        hear(call(repository, name), "gemini-cli")
    out = hear(call(repository, "SessionStart-resume"), "gemini-cli")
    assert "Stop the leak." in out
