"""What hooks of Claude Code receive, and what it reads from them.

After its hooks reference, and records of version 2.1.197. Other assistants run the
hooks of its settings file as well, in the same format under their own names.
"""

import json
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any

from gitmem.assistants.assistant import EventKind, HookClient, HookEvent
from gitmem.assistants.payload import Keys, Read, by_name, inner, reads_in, text, todos
from gitmem.documents.event import Todo
from gitmem.git.values import Change

CHECKPOINT = "mcp__opencodememory__ocm__checkpoint"
_CHECKPOINTS = (CHECKPOINT, CHECKPOINT.replace("__", "__plugin_ocm_", 1))
_AT_TOOLS = {"PreToolUse": EventKind.BEFORE_EDIT, "PostToolUse": EventKind.EDIT}

Edit = tuple[str, Change]


event = Keys("session_id", "cwd", "transcript_path").event


def reading(edits_of: Callable[[Mapping[str, Any]], Iterable[Edit]]) -> Read:
    """Return what reads the events of a client that has tools of its own.

    `edits_of` gives the edits of a call, before or after it.
    """

    def read(payload: Mapping[str, Any]) -> HookEvent | None:
        kind = _AT_TOOLS.get(payload["hook_event_name"])
        if kind is None:
            return read_event(payload)
        edits = tuple(edits_of(payload))
        if not edits:
            return file_read(payload) if kind is EventKind.BEFORE_EDIT else None
        path, change = edits[0]
        subagent = text(payload, "agent_id", "")
        edit = {"path": path, "change": change, "more_edits": edits[1:]}
        return event(payload, kind, **edit, subagent=subagent)

    return read


def file_read(payload: Mapping[str, Any]) -> HookEvent | None:
    """Return the read of files that a tool call is; None where it names none."""
    reads = reads_in(inner(payload, "tool_input"))
    subagent = text(payload, "agent_id", "")
    return (
        event(payload, EventKind.READ, reads=reads, subagent=subagent)
        if reads
        else None
    )


def hook_output(event: str, **values: Any) -> str:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, **values}})


def blocking(text: str) -> str:
    return json.dumps({"decision": "block", "reason": text})


def _before_tool(payload: Mapping[str, Any]) -> HookEvent | None:
    name = text(payload, "tool_name")
    if name in _EDITING:
        subagent, path = text(payload, "agent_id", ""), _edited(payload)
        return event(payload, EventKind.BEFORE_EDIT, path=path, subagent=subagent)
    return checkpoint_call(payload, _CHECKPOINTS) or (
        file_read(payload) if name in _READING else None
    )


def checkpoint_call(
    payload: Mapping[str, Any], names: Container[str]
) -> HookEvent | None:
    if text(payload, "tool_name") not in names:
        return None
    return event(payload, EventKind.CALL, arguments=inner(payload, "tool_input"))


def turn_end(
    payload: Mapping[str, Any], answer: str = "last_assistant_message"
) -> HookEvent:
    is_answer = payload.get("stop_hook_active") is True
    words = text(payload, answer, "")
    return event(payload, EventKind.TURN_END, is_answer=is_answer, last_answer=words)


def _edit(payload: Mapping[str, Any]) -> HookEvent:
    response = payload.get("tool_response")
    is_new = isinstance(response, dict) and response.get("type") == "create"
    change = Change.CREATED if is_new else Change.MODIFIED
    return event(payload, EventKind.EDIT, path=_edited(payload), change=change)


def _edited(payload: Mapping[str, Any]) -> str:
    is_notebook = text(payload, "tool_name") == "NotebookEdit"
    key = "notebook_path" if is_notebook else "file_path"
    return text(inner(payload, "tool_input"), key)


def _todo_list(payload: Mapping[str, Any]) -> HookEvent | None:
    """Read a to-do list; None for a subagent's."""
    if payload.get("agent_id"):
        return None
    todo_items = todos(inner(payload, "tool_input"), "todos", "content")
    return event(payload, EventKind.TODOS, todos=todo_items, is_whole_list=True)


def _new_task(payload: Mapping[str, Any]) -> HookEvent:
    task = inner(inner(payload, "tool_response"), "task")
    todo = Todo(text(task, "id"), text(task, "subject"), done=False)
    return event(payload, EventKind.TODOS, todos=(todo,))


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
        done=None if status is None else status == "completed",
        is_dropped=status == "deleted",
    )
    return event(payload, EventKind.TODOS, todos=(todo,))


_EDITING = ("Write", "Edit", "NotebookEdit")
_READING = ("Read", "Grep", "Bash")
TOOLS: Mapping[str, Read] = {
    **dict.fromkeys(_EDITING, _edit),
    "TodoWrite": _todo_list,
    "TaskCreate": _new_task,
    "TaskUpdate": _changed_task,
}
_EVENTS: Mapping[str, Read] = {
    "SessionStart": lambda p: event(p, EventKind.START, source=text(p, "source", "")),
    "UserPromptSubmit": lambda p: event(p, EventKind.PROMPT, prompt=text(p, "prompt")),
    "PreToolUse": _before_tool,
    "PostToolUse": by_name("tool_name", TOOLS),
    "SubagentStart": lambda p: event(
        p, EventKind.SUBAGENT, subagent=text(p, "agent_id")
    ),
    "Stop": turn_end,
    "PreCompact": lambda p: event(p, EventKind.COMPACTION),
    "SessionEnd": lambda p: event(p, EventKind.END),
}
read_event = by_name("hook_event_name", _EVENTS)
_CONTEXT_EVENTS = {
    EventKind.PROMPT: "UserPromptSubmit",
    EventKind.SUBAGENT: "SubagentStart",
    **dict.fromkeys((EventKind.BEFORE_EDIT, EventKind.READ), "PreToolUse"),
}
HOOKS = HookClient(
    "claude-code",
    read_event,
    brief=lambda text: hook_output("SessionStart", additionalContext=text),
    nudge=lambda text: hook_output("Stop", additionalContext=text),
    call=lambda arguments: hook_output("PreToolUse", updatedInput=dict(arguments)),
    context=lambda kind, text: hook_output(
        _CONTEXT_EVENTS[kind], additionalContext=text
    ),
    project_variable="CLAUDE_PROJECT_DIR",
    is_cut_off=lambda payload, variables: (
        payload.get("reason") == "other"
        and variables.get("CLAUDE_CODE_ENTRYPOINT") == "cli"  # `-p` always ends so
    ),
)


def hooks_of_another(name: str, **more: Any) -> HookClient:
    """Return the hooks of another assistant that speaks as Claude Code does."""
    return HOOKS._replace(name=name, **more)
