"""What our plugin tells of OpenCode, `hooks/opencode/ocm.js`, and what it is answered.

An event has the name of OpenCode's hook or event, and is flat. The plugin itself puts
the conversation's id into calls of our tool, and gives answers to the model: the brief
in the system prompt, other texts beside the next prompt or the result of an edit.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from gitmem.assistants.assistant import EventKind, HookClient, HookEvent
from gitmem.assistants.payload import (
    Keys,
    Read,
    by_name,
    client_id,
    reads_in,
    text,
    text_if_any,
)
from gitmem.text.patterns import pattern

_event = Keys("sessionID", "directory", "transcript").event


def _before_edit(payload: Mapping[str, Any]) -> HookEvent:
    path, subagent = client_id(payload, "file_path"), text_if_any(payload, "subagent")
    return _event(payload, EventKind.BEFORE_EDIT, path=path, subagent=subagent)


def _read(payload: Mapping[str, Any]) -> HookEvent:
    subagent = text_if_any(payload, "subagent")
    return _event(payload, EventKind.READ, reads=reads_in(payload), subagent=subagent)


def _prompt(payload: Mapping[str, Any]) -> HookEvent:
    return _event(payload, EventKind.PROMPT, prompt=unquoted(text(payload, "prompt")))


def _turn_end(payload: Mapping[str, Any]) -> HookEvent:
    return _event(
        payload, EventKind.TURN_END, last_answer=text_if_any(payload, "last_answer")
    )


_QUOTED = r'"(?=(?:[^" \\]|\\.)*+ )((?:[^"\\]|\\.)*+)"'
_ARGUMENT = pattern(_QUOTED, re.DOTALL)
_ARGUMENTS = pattern(rf'{_QUOTED}(?: (?:{_QUOTED}|[^\s"]++))*+', re.DOTALL)
_ESCAPE = pattern(r'\\(["\\])')


def unquoted(prompt: str) -> str:
    """Return a prompt as it was given to `opencode run`.

    It puts arguments with blanks in quotes. A prompt that begins otherwise may have
    been typed with its quotes.
    """
    if not _ARGUMENTS.fullmatch(prompt):
        return prompt
    return _ARGUMENT.sub(lambda argument: _ESCAPE.sub(r"\1", argument[1]), prompt)


_START = "experimental.chat.system.transform"
_EVENTS: Mapping[str, Read] = {
    _START: lambda p: _event(p, EventKind.START, source=text_if_any(p, "source")),
    "chat.message": _prompt,
    "tool.execute.before": _before_edit,
    "tool.read": _read,
    "session.idle": _turn_end,
    "experimental.session.compacting": lambda p: _event(p, EventKind.COMPACTION),
    "dispose": lambda p: _event(p, EventKind.END),
}
read_event = by_name("type", _EVENTS)


def _answer(words: str) -> str:
    return json.dumps({"text": words})


HOOKS = HookClient(
    "opencode",
    read_event,
    brief=_answer,
    nudge=_answer,
    context=lambda _, words: _answer(words),
    keeps_brief=False,
)
