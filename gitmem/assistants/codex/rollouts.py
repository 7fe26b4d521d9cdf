"""The texts in Codex's rollouts: words, arguments and outputs of tools."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gitmem.assistants.claude_code.hooks import Edit
from gitmem.assistants.codex.hooks import CHANGES, edits_of
from gitmem.assistants.payload import inner, items, text, typed_words
from gitmem.git.values import Change

_PASSED_OVER = """
    session_meta compacted world_state token_usage_record inter_agent_communication
    message agent_message additional_tools reasoning tool_search_call tool_search_output
    web_search_call image_generation_call compaction compaction_summary ghost_snapshot
    context_compaction other user_message agent_reasoning agent_reasoning_raw_content
    token_count context_compacted entered_review_mode exited_review_mode turn_aborted
    turn_started turn_complete task_started task_complete thread_goal_updated
    thread_name_updated thread_settings_applied view_image_tool_call sub_agent_activity
    dynamic_tool_call_request dynamic_tool_call_response guardian_assessment
    item_started undo_completed warning error CommandExecution Reasoning McpToolCall
    DynamicToolCall CollabAgentToolCall SubAgentActivity WebSearch ImageView
    ImageGeneration EnteredReviewMode ExitedReviewMode ContextCompaction HookPrompt
    Sleep patch_apply_end mcp_tool_call_end exec_command_end web_search_end
    image_generation_end collab_agent_spawn_end collab_agent_interaction_end
    collab_waiting_end collab_close_end collab_resume_end
"""
HARMLESS = frozenset(_PASSED_OVER.split())
"""Types of lines, items, events and completed items that have nothing for us."""

_NOT_TYPED = (
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<skill>",
    "Another language model started to solve this problem",
)
_EDITOR = "# Context from my IDE setup:"
_REQUEST = "## My request for Codex:"


def words_of(message: Mapping[str, Any]) -> str:
    blocks = items(message, "content")
    return "\n\n".join(text(block, "text") for block in blocks if "text" in block)


def typed_by_person(words: str) -> str:
    words = typed_words(words)
    if words.startswith(_NOT_TYPED):
        return ""
    _, _, request = words.partition(_REQUEST)
    return request.strip() if words.startswith(_EDITOR) else words


def arguments_of(value: object) -> Mapping[str, Any]:
    """Return the arguments of a call, an object or a text."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"input": value}
    return value if isinstance(value, dict) else {"input": value}


def command_of(arguments: Mapping[str, Any]) -> str:
    """Return the command or patch of a call."""
    values = (arguments.get(key) for key in ("command", "cmd", "input"))
    parts = (word if isinstance(word, list) else [word] for word in values)
    return " ".join(word for part in parts for word in part if isinstance(word, str))


def output_of(value: object) -> str:
    """Return the text of an output: plain, in an object, or in blocks."""
    if isinstance(value, str):
        value = arguments_of(value).get("output", value)
    if isinstance(value, dict):
        value = value.get("output") or value.get("content")
    if isinstance(value, list):
        texts = (block.get("text") for block in value if isinstance(block, dict))
        value = "\n".join(text for text in texts if isinstance(text, str))
    return value if isinstance(value, str) else ""


_BEGIN = "*** Begin Patch"
_SUCCESS = "Success. Updated the following files:"
_DONE = "Done!"  # until June 2025


def patched(command: str, output: str) -> Iterator[Edit]:
    """Yield the edits of a patch, if the output says it was applied."""
    if _BEGIN in command and (_SUCCESS in output or output.strip() == _DONE):
        yield from edits_of(command)


def recorded(changes: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits of a record, by path.

    Each is `{"type": "add", ...}`, in older versions `{"add": {...}}`. Raises KeyError,
    TypeError.
    """
    for path in changes:
        change = inner(changes, path)
        kind = text(change, "type", next(iter(change), ""))
        change = change if "type" in change else inner(change, kind)
        yield path, CHANGES[kind]
        if moved := text(change, "move_path", ""):
            yield from ((path, Change.DELETED), (moved, Change.CREATED))
