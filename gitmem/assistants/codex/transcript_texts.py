"""The texts in Codex's rollouts: words, and what tools are given and give back."""

import json
from collections.abc import Mapping
from typing import Any

from gitmem.assistants.payload import items, text, typed

_NOT_TYPED = (
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<skill>",
    "Another language model started to solve this problem",
)
"""Beginnings of what Codex says on the side of the person."""
_EDITOR = "# Context from my IDE setup:"
_REQUEST = "## My request for Codex:"
"""What an editor puts before a prompt, and before the words of the person."""


def words_of(message: Mapping[str, Any]) -> str:
    """The text of a message, without its pictures."""
    blocks = items(message, "content")
    return "\n\n".join(text(block, "text") for block in blocks if "text" in block)


def typed_by_person(words: str) -> str:
    words = typed(words)
    if words.startswith(_NOT_TYPED):
        return ""
    _, _, request = words.partition(_REQUEST)
    return request.strip() if words.startswith(_EDITOR) else words


def arguments_of(value: object) -> Mapping[str, Any]:
    """What a tool is called with: an object, as text or not, or a text of its own."""
    if isinstance(value, str) and value.startswith("{"):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"input": value}
    return value if isinstance(value, dict) else {"input": value}


def command_of(arguments: Mapping[str, Any]) -> str:
    """What a shell was to run, or a patch: a text, or the words of a command."""
    given = (arguments.get(key) for key in ("command", "cmd", "input"))
    parts = (each if isinstance(each, list) else [each] for each in given)
    return " ".join(each for part in parts for each in part if isinstance(each, str))


def output_of(value: object) -> str:
    """What a tool gave back: a text, an object around it, or a list of blocks."""
    if isinstance(value, str):
        value = arguments_of(value).get("output", value)
    if isinstance(value, dict):
        value = value.get("output") or value.get("content")
    if isinstance(value, list):
        texts = (block.get("text") for block in value if isinstance(block, dict))
        value = "\n".join(each for each in texts if isinstance(each, str))
    return value if isinstance(value, str) else ""
