"""What hooks of Gemini CLI receive, and what it reads from them.

After its hooks reference and source, and records of version 0.61.0. It takes no text
from a hook before a tool, so what is known of a file is told as the file is read. It
announces a compaction before every request; only one that was asked for counts.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.claude_code.hooks import (
    blocking,
    checkpoint_call,
    event,
    file_read,
    hook_output,
    hooks_of_another,
    turn_end,
)
from gitmem.assistants.payload import Read, by_name, client_id, inner, text, todos
from gitmem.assistants.targets import user_path
from gitmem.git.values import Change

CHECKPOINT = "mcp_opencodememory_ocm__checkpoint"
of_home = partial(user_path, "", "GEMINI_CLI_HOME")
OWN_FOLDER = of_home(".gemini")
_REFERENCED = "\n--- Content from referenced files ---"
"""Stands before the files that a prompt names with `@`."""


def without_files(prompt: str) -> str:
    """Return a prompt without the files that it names."""
    return prompt.partition(_REFERENCED)[0]


def done_by(
    tool: str, arguments: Mapping[str, Any], display: object
) -> dict[str, Any] | None:
    """Return the event, by its fields, that a successful tool call is.

    None for no event of ours. `display` is what the user is shown. Raises KeyError,
    TypeError, ValueError.
    """
    if tool in ("write_file", "replace"):
        is_new = isinstance(display, dict) and display.get("isNewFile") is True
        change = Change.CREATED if is_new else Change.MODIFIED
        path = client_id(arguments, "file_path")
        return {"kind": EventKind.EDIT, "path": path, "change": change}
    if tool == "write_todos":
        todo_items = todos(arguments, "todos", "description")
        return {"kind": EventKind.TODOS, "todos": todo_items, "is_whole_list": True}
    return None


def _start(payload: Mapping[str, Any]) -> HookEvent:
    """Read a start; a resumed conversation is written on in its older file."""
    source = text(payload, "source", "")
    transcript = {"transcript_path": ""} if source == "resume" else {}
    return event({**payload, **transcript}, EventKind.START, source=source)


def _tool_use(payload: Mapping[str, Any]) -> HookEvent | None:
    tool, arguments = text(payload, "tool_name"), inner(payload, "tool_input")
    response = inner(payload, "tool_response")
    if response.get("error"):
        return None
    if tool in ("read_file", "run_shell_command"):
        return file_read(payload)
    done = done_by(tool, arguments, response.get("returnDisplay"))
    return event(payload, **done) if done else None


def _prompt(payload: Mapping[str, Any]) -> HookEvent:
    return event(
        payload, EventKind.PROMPT, prompt=without_files(text(payload, "prompt"))
    )


def _compaction(payload: Mapping[str, Any]) -> HookEvent | None:
    is_wanted = payload.get("trigger") == "manual"
    return event(payload, EventKind.COMPACTION) if is_wanted else None


_EVENTS: Mapping[str, Read] = {
    "SessionStart": _start,
    "BeforeAgent": _prompt,
    "BeforeTool": lambda p: checkpoint_call(p, (CHECKPOINT,)),
    "AfterTool": _tool_use,
    "AfterAgent": lambda p: turn_end(p, "prompt_response"),
    "PreCompress": _compaction,
    "SessionEnd": lambda p: event(p, EventKind.END),
}
_CONTEXT_EVENTS = {EventKind.PROMPT: "BeforeAgent", EventKind.READ: "AfterTool"}
HOOKS = hooks_of_another(
    "gemini-cli",
    read=by_name("hook_event_name", _EVENTS),
    nudge=blocking,
    call=lambda arguments: hook_output("BeforeTool", tool_input=dict(arguments)),
    context=lambda kind, text: hook_output(
        _CONTEXT_EVENTS[kind], additionalContext=text
    ),
    silent_starts=("clear",),
    keeps_brief=False,
    project_variable="GEMINI_PROJECT_DIR",
)
