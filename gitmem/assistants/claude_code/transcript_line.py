"""A line of Claude Code's transcripts, with anything in any place, in typed values."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any

from gitmem.assistants.claude_code.transcript_prompts import (
    compaction_summary,
    prompt,
    queued_prompt,
    texts,
    words_of_rejection,
)
from gitmem.assistants.transcripts.lines import aware_moment
from gitmem.documents.conversation.conversation import Speaker
from gitmem.frozen import frozen

SHELL = "Bash"

_TOOLS = {
    "Write": "Write",
    "Edit": "Edit",
    "MultiEdit": "Edit",  # of older versions; it looks the same
    "NotebookEdit": "NotebookEdit",
    "TodoWrite": "TodoWrite",
    "TaskCreate": "TaskCreate",
    "TaskUpdate": "TaskUpdate",
    SHELL: SHELL,
}
"""The tools that matter, and their names for hooks."""
_CONTENTS = {"content", "old_string", "new_string", "edits", "new_source"}
"""Arguments that hold what is in files: large, and of no use."""
_DETACHED = "HEAD"
_NO_MODEL = "<synthetic>"
"""The model of answers that Claude Code made up."""


@frozen
class Call:
    """The call of a tool that matters."""

    id: str
    tool: str
    """As hooks know it."""
    arguments: Mapping[str, Any]
    folder: str
    """Where the assistant worked when it made it; "" for nowhere."""
    at: datetime | None


@frozen
class Result:
    """What a call came to."""

    id: str
    output: str
    is_error: bool
    response: object
    """As hooks are given it."""


@frozen
class Line:
    at: datetime | None
    """In whole seconds."""
    folder: str
    """Where the assistant worked, as an absolute path; "" for none."""
    branch: str | None
    of_subagent: bool
    words: tuple[tuple[Speaker, str], ...] = ()
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    summary: str = ""
    """What the conversation was compacted to."""


def parse(values: Mapping[str, Any], *, of_subagent: bool = False) -> Line:
    """What the line says.

    The words of a subagent, and of whoever gave it its task, are not among it.
    """
    of_subagent = of_subagent or values.get("isSidechain") is True
    results = tuple(_results(values))
    words = () if of_subagent else _words(values, results)
    return Line(
        at=aware_moment(values.get("timestamp")),
        folder=_folder(values),
        branch=_branch(values),
        of_subagent=of_subagent,
        words=tuple((speaker, text) for speaker, text in words if text),
        calls=tuple(_calls(values)),
        results=results,
        summary="" if of_subagent else compaction_summary(values),
    )


def _words(
    values: Mapping[str, Any], results: tuple[Result, ...]
) -> Iterator[tuple[Speaker, str]]:
    match values.get("type"):
        case "user":
            for result in results:
                if result.is_error:
                    yield Speaker.PERSON, words_of_rejection(result.output)
            if not results:
                yield Speaker.PERSON, prompt(values)
        case "attachment":
            yield Speaker.PERSON, queued_prompt(values)
        case "assistant":
            yield Speaker.ASSISTANT, _answer(values)


def _answer(values: Mapping[str, Any]) -> str:
    message = _message(values)
    if values.get("isApiErrorMessage") is True or message.get("model") == _NO_MODEL:
        return ""
    return "\n\n".join(texts(message.get("content"))).strip()


def _calls(values: Mapping[str, Any]) -> Iterator[Call]:
    for block in _blocks(values, "assistant", "tool_use"):
        name, tool, arguments = (block.get(key) for key in ("id", "name", "input"))
        if isinstance(name, str) and isinstance(tool, str) and tool in _TOOLS:
            given = arguments if isinstance(arguments, dict) else {}
            kept = {key: given[key] for key in given.keys() - _CONTENTS}
            at = aware_moment(values.get("timestamp"))
            yield Call(name, _TOOLS[tool], kept, _folder(values), at)


def _results(values: Mapping[str, Any]) -> Iterator[Result]:
    response = values.get("toolUseResult")
    for block in _blocks(values, "user", "tool_result"):
        name = block.get("tool_use_id")
        yield Result(
            id=name if isinstance(name, str) else "",
            output="\n".join(texts(block.get("content"))),
            is_error=block.get("is_error") is True,
            response=response,
        )


def _blocks(
    values: Mapping[str, Any], line_type: str, block_type: str
) -> Iterator[dict[str, Any]]:
    content = _message(values).get("content")
    if values.get("type") != line_type or not isinstance(content, list):
        return
    for block in content:
        if isinstance(block, dict) and block.get("type") == block_type:
            yield block


def _message(values: Mapping[str, Any]) -> dict[str, Any]:
    message = values.get("message")
    return message if isinstance(message, dict) else {}


def _folder(values: Mapping[str, Any]) -> str:
    path = values.get("cwd")
    return path if isinstance(path, str) and PurePath(path).is_absolute() else ""


def _branch(values: Mapping[str, Any]) -> str | None:
    name = values.get("gitBranch")
    return name if isinstance(name, str) and name not in ("", _DETACHED) else None
