"""Read hostile payloads: a wrong type is an error, not a value.

The readers raise KeyError for a missing or null value, and TypeError for a wrong type.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.documents.event import Todo
from gitmem.documents.session.handoff import handoff_prompt
from gitmem.text.patterns import pattern

OWN_PREFIX = "gitmem: "
"""The beginning of our texts to a model, which may return as prompts."""

T = TypeVar("T")
Read = Callable[[Mapping[str, Any]], HookEvent | None]

# Bounded and possessive: a hostile prompt of megabytes is matched in linear time.
_WRAPPER = pattern(
    r"\s*<((?:ide|current|multi_agent)_[a-z_]+|[a-z]+_(?:context|instructions|mode)"
    r"|system[-_]reminder|hook-context|env_info|environment_details|git_status"
    r"|mcp_servers|state_snapshot|turn_aborted|user_info|user_shell_command"
    r"|attached_files|open_and_recently_viewed_files|project_layout"
    r"|(?:local-)?command-[a-z]+|bash-(?:input|stdout|stderr)|task-notification"
    r"|(?:user-prompt-submit|post-tool-use|session-start)-hook"
    r"|teammate-message|new-diagnostics|user-memory-input)"
    r"(?:\s[^<>]{0,500}+)?>.*?</\1>",
    re.DOTALL,
)
"""Tags that clients put before a prompt; a person's markup is part of the prompt."""
_OWN_TEXT = pattern(
    rf"{OWN_PREFIX}(?:\d{{1,9}} \w+ were |`ocm__|the project's memory has this)"
)


def typed_words(prompt: str) -> str:
    """Return what a person typed of a prompt; "" for one that is ours."""
    position = 0
    while wrapper := _WRAPPER.match(prompt, position):
        position = wrapper.end()
    words = prompt[position:].strip()
    if handoff := handoff_prompt(words):
        return handoff.words
    return "" if _OWN_TEXT.match(words) else words


def text(payload: Mapping[str, Any], key: str, default: str | None = None) -> str:
    value = payload.get(key)
    if value is None:
        value = default
    return _required(value, str, key)


def text_if_any(payload: Mapping[str, Any], key: str) -> str:
    """Return a text, or the first of a list; "" for what loses no event."""
    value = payload.get(key)
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, str) else ""


def inner(payload: Mapping[str, Any], key: str) -> dict[str, Any]:
    return _required(payload.get(key), dict, key)


def items(payload: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    values = _required(payload.get(key), list, key)
    return [_required(item, dict, key) for item in values]


def texts(content: object) -> Iterator[str]:
    """Yield the texts of a message, one or in blocks, without the model's thoughts."""
    for block in content if isinstance(content, list) else [{"text": content}]:
        if isinstance(block, dict) and block.get("type", "text") == "text":
            text = block.get("text")
            if isinstance(text, str) and not block.get("thought"):
                yield text


_PATHS = ("file_path", "filePath", "path")
_COMMAND_LENGTH, _MOST_WORDS = 20_000, 200
_BETWEEN_WORDS = pattern(r"[\]\[\s;|&<>()$`'\"=,:{}*?!#\\]+")


def reads_in(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the file that a call reads, or the words of a shell command.

    Any of these may be a path, below the folder that a `cd` before them names.
    """
    if path := next(filter(None, (text_if_any(arguments, k) for k in _PATHS)), ""):
        return (path,)
    command = text_if_any(arguments, "command")[:_COMMAND_LENGTH]
    folder, words = "", _BETWEEN_WORDS.split(command)[:_MOST_WORDS]
    reads = []
    for before, word in pairwise(["", *filter(None, words)]):
        folder = posixpath.join(folder, word) if before == "cd" else folder
        reads.append(posixpath.join(folder, word))
    return tuple(reads)


def todos(payload: Mapping[str, Any], key: str, words: str) -> tuple[Todo, ...]:
    """Return a whole to-do list, known by its words, without what was cancelled."""
    return tuple(
        Todo(subject, subject, item.get("status") == "completed")
        for item in items(payload, key)
        if (subject := text(item, words)) and item.get("status") != "cancelled"
    )


def client_id(payload: Mapping[str, Any], key: str) -> str:
    """Return the client's own id under `key`. Raises ValueError for an empty one."""
    value = text(payload, key)
    if not value:
        raise ValueError(f"{key} is empty")
    return value


class Keys(NamedTuple):
    """The keys of what all events of a client have."""

    id: str
    folder: str = ""
    transcript: str = ""

    def event(
        self, payload: Mapping[str, Any], kind: EventKind, **values: Any
    ) -> HookEvent:
        return HookEvent(
            kind=kind,
            client_session_id=client_id(payload, self.id),
            folder=text_if_any(payload, self.folder),
            transcript=text_if_any(payload, self.transcript),
            **values,
        )


def by_name(key: str, events: Mapping[str, Read]) -> Read:
    """Return what reads each event as a table says, by its name under a key."""

    def read(payload: Mapping[str, Any]) -> HookEvent | None:
        reads = events.get(text(payload, key))
        return reads(payload) if reads else None

    return read


def _required(value: Any, kind: type[T], key: str) -> T:
    if value is None:
        raise KeyError(key)
    if not isinstance(value, kind):
        raise TypeError(f"{key} is a {type(value).__name__}")
    return value
