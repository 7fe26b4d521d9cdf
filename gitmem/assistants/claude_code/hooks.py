"""What hooks of Claude Code receive, and what it reads from them.

After its hooks reference, and records of version 2.1.197. Other assistants run the
hooks of its settings file as well, in the same format under their own names.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import HookClient, HookEvent, What
from gitmem.assistants.payload import client_id, inner, items, text
from gitmem.documents.event import Todo
from gitmem.git.values import Change

CHECKPOINT = "mcp__opencodememory__ocm__checkpoint"
_CHECKPOINTS = (CHECKPOINT, CHECKPOINT.replace("__", "__plugin_ocm_", 1))


def seen(payload: Mapping[str, Any]) -> HookEvent | None:
    read = _EVENTS.get(text(payload, "hook_event_name"))
    return read(payload) if read else None


def event(payload: Mapping[str, Any], what: What, **values: Any) -> HookEvent:
    return HookEvent(
        what=what,
        client_session_id=client_id(payload, "session_id"),
        folder=text(payload, "cwd", ""),
        transcript=_transcript(payload),
        **values,
    )


def edit_event(
    payload: Mapping[str, Any],
    what: What,
    edits: Iterable[tuple[str, Change]],
    **values: Any,
) -> HookEvent:
    """Return the event of several edits. Raises ValueError for none."""
    (path, change), *more = edits
    values = {**values, "path": path, "change": change, "more_edits": tuple(more)}
    return event(payload, what, **values)


def specific(event: str, **values: Any) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, **values}})


def _transcript(payload: Mapping[str, Any]) -> str:
    """Return the path; one that is missing or wrong loses no event."""
    path = payload.get("transcript_path")
    return path if isinstance(path, str) else ""


def _before_tool(payload: Mapping[str, Any]) -> HookEvent | None:
    name = text(payload, "tool_name")
    if name in _EDITING:
        subagent, path = text(payload, "agent_id", ""), _edited(payload)
        return event(payload, What.BEFORE_EDIT, path=path, subagent=subagent)
    if name not in _CHECKPOINTS:
        return None
    return event(payload, What.CALL, arguments=inner(payload, "tool_input"))


def _tool_use(payload: Mapping[str, Any]) -> HookEvent | None:
    read = _TOOLS.get(text(payload, "tool_name"))
    return read(payload) if read else None


def _turn_end(payload: Mapping[str, Any]) -> HookEvent:
    is_answer = payload.get("stop_hook_active") is True
    said = text(payload, "last_assistant_message", "")
    return event(payload, What.TURN_END, is_answer=is_answer, last_answer=said)


def _edit(payload: Mapping[str, Any]) -> HookEvent:
    response = payload.get("tool_response")
    is_new = isinstance(response, dict) and response.get("type") == "create"
    change = Change.CREATED if is_new else Change.MODIFIED
    return event(payload, What.EDIT, path=_edited(payload), change=change)


def _edited(payload: Mapping[str, Any]) -> str:
    is_notebook = text(payload, "tool_name") == "NotebookEdit"
    key = "notebook_path" if is_notebook else "file_path"
    return text(inner(payload, "tool_input"), key)


def _todo_list(payload: Mapping[str, Any]) -> HookEvent | None:
    """Read a to-do list; None for a subagent's."""
    if payload.get("agent_id"):
        return None
    listed = items(inner(payload, "tool_input"), "todos")
    todos = tuple(
        Todo(text(each, "content"), text(each, "content"), _is_done(each))
        for each in listed
    )
    return event(payload, What.TODOS, todos=todos, is_whole_list=True)


def _new_task(payload: Mapping[str, Any]) -> HookEvent:
    task = inner(inner(payload, "tool_response"), "task")
    todo = Todo(text(task, "id"), text(task, "subject"), done=False)
    return event(payload, What.TODOS, todos=(todo,))


def _changed_task(payload: Mapping[str, Any]) -> HookEvent | None:
    """Read a changed to-do; None if nothing changed that a list shows."""
    arguments = inner(payload, "tool_input")
    subject, status = text(arguments, "subject", ""), arguments.get("status")
    if inner(payload, "tool_response").get("success") is not True:
        return None
    if not subject and status is None:
        return None
    todo = Todo(
        text(arguments, "taskId"),
        subject,
        done=None if status is None else _is_done(arguments),
        is_dropped=status == "deleted",
    )
    return event(payload, What.TODOS, todos=(todo,))


def _is_done(item: Mapping[str, Any]) -> bool:
    return text(item, "status") == "completed"


_EVENTS: Mapping[str, Callable[[Mapping[str, Any]], HookEvent | None]] = {
    "SessionStart": lambda p: event(p, What.START, source=text(p, "source", "")),
    "UserPromptSubmit": lambda p: event(p, What.PROMPT, prompt=text(p, "prompt")),
    "PreToolUse": _before_tool,
    "PostToolUse": _tool_use,
    "Stop": _turn_end,
    "PreCompact": lambda p: event(p, What.COMPACTION),
    "SessionEnd": lambda p: event(p, What.END),
}
_EDITING = ("Write", "Edit", "NotebookEdit")
_TOOLS: Mapping[str, Callable[[Mapping[str, Any]], HookEvent | None]] = {
    **dict.fromkeys(_EDITING, _edit),
    "TodoWrite": _todo_list,
    "TaskCreate": _new_task,
    "TaskUpdate": _changed_task,
}


def _has_tools(
    root: Path, common_dir: Path, home: Path, variables: Mapping[str, str]
) -> bool:
    from gitmem.assistants.claude_code.settings import is_declined

    return not is_declined(root, common_dir, home, variables)


_TOLD_AT = {What.PROMPT: "UserPromptSubmit", What.BEFORE_EDIT: "PreToolUse"}
HOOKS = HookClient(
    "claude-code",
    seen,
    brief=lambda text: specific("SessionStart", additionalContext=text),
    nudge=lambda text: specific("Stop", additionalContext=text),
    call=lambda arguments: specific("PreToolUse", updatedInput=dict(arguments)),
    tell=lambda what, text: specific(_TOLD_AT[what], additionalContext=text),
    project_variable="CLAUDE_PROJECT_DIR",
    has_tools=_has_tools,
)


def hooks_of_another(name: str) -> HookClient:
    """Return the hooks of another assistant that speaks as Claude Code does."""
    return HOOKS._replace(name=name, has_tools=lambda *_: True)
