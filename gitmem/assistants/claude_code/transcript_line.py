"""What a line of Claude Code's transcripts, hostile JSON, says and calls."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from gitmem.assistants.claude_code.hooks import TOOLS
from gitmem.assistants.payload import text_if_any, texts, typed_words
from gitmem.assistants.targets import items, members
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.frozen import frozen
from gitmem.text.patterns import pattern

SHELL, QUESTIONS, PLAN = "Bash", "AskUserQuestion", "ExitPlanMode"
OUTPUTS = ("TaskOutput", "BashOutput")
"""Tools that read what a command in the background prints."""

_TOOLS = {tool: tool for tool in (*TOOLS, SHELL, *OUTPUTS, QUESTIONS, PLAN)}
_TOOLS["MultiEdit"] = "Edit"  # of older versions; it looks the same
_CONTENTS = {"content", "old_string", "new_string", "edits", "new_source"}
"""Arguments with file contents, which are dropped."""
_DETACHED = "HEAD"
_SDK = pattern(r"sdk-[a-z-]{1,20}")
_OBSERVER = pattern(
    r"You are an? (?:[\w-]+, an? )?specialized observer tool|Hello memory agent"
)
_OBSERVED_IN = "/.claude-mem/"
_NO_MODEL = "<synthetic>"


@frozen
class Call:
    id: str
    tool: str
    arguments: Mapping[str, Any]
    folder: str
    at: datetime | None


@frozen
class ToolResult:
    id: str
    output: str
    is_error: bool
    response: Mapping[str, Any]
    beside: str
    """The words that a person added while allowing the call."""


def words_of(values: Mapping[str, Any]) -> Iterator[tuple[Speaker, str]]:
    """Yield what was said, "" for nothing."""
    match values.get("type"):
        case "user":
            results = list(results_of(values))
            for result in results:
                if result.is_error:
                    yield Speaker.PERSON, words_of_rejection(result.output)
            if not results:
                yield Speaker.PERSON, prompt(values)
        case "attachment":
            yield Speaker.PERSON, prompt_during_turn(values)
        case "assistant":
            yield Speaker.ASSISTANT, _answer(values)


def calls_of(values: Mapping[str, Any], at: datetime | None) -> Iterator[Call]:
    for block in _blocks(values, "assistant", "tool_use"):
        name, tool, arguments = (block.get(key) for key in ("id", "name", "input"))
        if isinstance(name, str) and isinstance(tool, str) and tool in _TOOLS:
            arguments = arguments if isinstance(arguments, dict) else {}
            bare = {key: arguments[key] for key in arguments.keys() - _CONTENTS}
            yield Call(name, _TOOLS[tool], bare, folder_of(values), at)


def reply_to(call: Call, result: ToolResult) -> Iterator[tuple[Speaker, str]]:
    """Yield the plan that a person approved, or the answers to questions."""
    if call.tool == PLAN:
        approved = _APPROVED_PLAN.search(result.output)
        plan = text_if_any(call.arguments, "plan") or text_if_any(
            result.response, "plan"
        )
        yield Speaker.ASSISTANT, (approved[1] if approved else plan).strip()
    if call.tool == QUESTIONS:
        yield Speaker.PERSON, "\n".join(_answers_in(result))
    if call.tool in (PLAN, QUESTIONS):
        yield Speaker.PERSON, result.beside


def results_of(values: Mapping[str, Any]) -> Iterator[ToolResult]:
    for block in _blocks(values, "user", "tool_result"):
        yield ToolResult(
            id=text_if_any(block, "tool_use_id"),
            output="\n".join(texts(block.get("content"))),
            is_error=block.get("is_error") is True,
            response=members(values, "toolUseResult"),
            beside=_typed_in(
                members(values, "message").get("content"), is_marked=False
            ),
        )


def record_of_subagent(values: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the record of a subagent that a main transcript has inside of a line."""
    data = members(values, "data")
    record = members(data, "message")
    is_progress = values.get("type") == "progress"
    is_message = record.get("type") in ("user", "assistant")
    if not (is_progress and is_message and data.get("type") == "agent_progress"):
        return None
    about = {key: values.get(key) for key in ("cwd", "sessionId", "gitBranch")}
    return {**about, **record}


def folder_of(values: Mapping[str, Any]) -> str:
    return text_if_any(values, "cwd")


def program_of(entrypoints: Iterable[str], folder: str, turns: Sequence[Turn]) -> str:
    """Return the program that held a conversation; "" if a person took part in it."""
    first_words = turns[0].text if turns else ""
    if _OBSERVER.match(first_words) or _OBSERVED_IN in folder:
        return "observer"
    programs = {*entrypoints} - {""}
    return min(programs, default="") if all(map(_SDK.fullmatch, programs)) else ""


def branch_of(values: Mapping[str, Any]) -> str | None:
    name = text_if_any(values, "gitBranch")
    return name if name not in ("", _DETACHED) else None


def _answer(values: Mapping[str, Any]) -> str:
    message = members(values, "message")
    if values.get("isApiErrorMessage") is True or message.get("model") == _NO_MODEL:
        return ""
    return "\n\n".join(texts(message.get("content"))).strip()


def _blocks(
    values: Mapping[str, Any], line_type: str, block_type: str
) -> Iterator[dict[str, Any]]:
    if values.get("type") == line_type:
        for block in items(members(values, "message"), "content"):
            if isinstance(block, dict) and block.get("type") == block_type:
                yield block


_NOT_TYPED = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_TURNS_OF_PERSONS = (None, "human", "sdk", "unknown")
_OF_PROGRAMS = pattern(
    r"Caveat: The messages below were generated by the user|Stop hook feedback:\n"
    r"|(?:UserPromptSubmit o|O)peration (?:stopped|blocked) by hook"
    r"|This session is being continued from a previous conversation"
    r"|Base directory for this skill:|<task-notification>"
    r"|Unknown (?:slash command|skill): \S+\Z"
)
"""Beginnings of texts of programs, unmarked in older versions."""
_COMMAND = "<command-message>"
"""The beginning of a prompt written as a command; of a built-in one, such as `/clear`,
the name comes first.
"""
_COMMAND_NAME = pattern(r"<command-name>(/[^<>\n]{1,200})</command-name>")
"""The name of a command that a person called; a model calls it without a slash."""
_ARGUMENTS = pattern(r"<command-args>(.*?)</command-args>", re.DOTALL)
_INTERRUPTED = pattern(r"\[Request interrupted by user[^\]]{0,40}\]")
_BEHIND_SUMMARY = (
    "\nIf you need specific details from before compaction",
    "\nContinue the conversation from where",
    "\nPlease continue the conversation from where",
)
_REMINDER = "<system-reminder>", "</system-reminder>"
_REJECTION = pattern(
    r"(?:The user doesn't want to proceed with|Permission for) this tool use\b"
    r".{0,300}?he user said:\n(.*)",
    re.DOTALL,
)
_NOTE = "\n\nNote: The user's next message"
_QUESTIONS_ASKED = pattern(r"^ *Questions asked[^\n]{0,40}:$", re.MULTILINE)
_QUESTION = pattern(r'^- "', re.MULTILINE)
_REPLY = pattern(r'"?\n  (?:Answer|User notes): ')
_ANSWERED = pattern(
    r"(?:User has answered your questions|Your questions have been answered"
    r"|The user (?:responded|answered)): (.*?)"
    r"(?:\.? (?:You can now continue|Read the answers carefully).*)?",
    re.DOTALL,
)
_APPROVED_PLAN = pattern(
    r"^## Approved Plan(?: \(edited by user\))?:\n(.*)", re.MULTILINE | re.DOTALL
)


def prompt(line: Mapping[str, Any]) -> str:
    """Return the person's words in a line of a message or of the queue, else ""."""
    return _prompt_in(
        line, members(line, "message").get("content") or line.get("content")
    )


def prompt_during_turn(line: Mapping[str, Any]) -> str:
    """Return a prompt typed during a turn, from a line of type `attachment`."""
    attachment = members(line, "attachment")
    is_prompt = attachment.get("commandMode") in (None, "prompt")
    if attachment.get("type") != "queued_command" or not is_prompt:
        return ""
    return _prompt_in(attachment, attachment.get("prompt"))


def compaction_summary(line: Mapping[str, Any]) -> str:
    """Return Claude Code's summary of a conversation, else ""."""
    if line.get("isCompactSummary") is not True:
        return ""
    text = "\n\n".join(texts(members(line, "message").get("content")))
    _, _, summary = text.partition("\n")  # the first line tells the model what it is
    for words in _BEHIND_SUMMARY:
        summary = summary.partition(words)[0]
    if summary.lstrip().startswith(_REMINDER[0]):
        summary = summary.partition(_REMINDER[1])[2]
    return (summary.partition("\nSummary:\n")[2] or summary).strip()


def words_of_rejection(result: str) -> str:
    """Return what the person said when rejecting a tool, else ""."""
    rejection = _REJECTION.match(result)
    words = rejection[1].partition(_NOTE)[0].strip() if rejection else ""
    questions = _QUESTIONS_ASKED.search(words)
    if questions is None:
        return words
    parts = _QUESTION.split(words[questions.end() :])
    replies = (_REPLY.sub(" ", part).strip() for part in parts if _REPLY.search(part))
    return "\n".join(replies)


def _answers_in(result: ToolResult) -> Iterator[str]:
    """Yield each question with what the person chose or wrote."""
    answers = members(result.response, "answers")
    if not answers:
        answered = _ANSWERED.fullmatch(result.output)
        yield answered[1] if answered else ""
        return
    for question, answer in answers.items():
        choices = answer if isinstance(answer, list) else [answer]
        notes = members(result.response, "annotations", question)
        parts = *choices, text_if_any(notes, "notes")
        words = ", ".join(part for part in parts if part and isinstance(part, str))
        if words:
            yield f"{question} {words}"


def _prompt_in(values: Mapping[str, Any], content: object) -> str:
    """Return a person's words; a record's own marks count before its words."""
    is_of_program = any(values.get(key) is True for key in _NOT_TYPED)
    if is_of_program or not _is_of_person(values):
        return ""
    is_marked = bool(values.get("promptSource") or values.get("origin"))
    return _typed_in(content, is_marked=is_marked)


def _is_of_person(values: Mapping[str, Any]) -> bool:
    """Tell whether a person wrote a record, or approved the plan that it is."""
    kind = members(values, "origin").get("kind")
    is_plan = isinstance(values.get("planContent"), str)
    if is_plan or kind is not None:
        return is_plan or kind == "human"
    is_of_system = values.get("promptSource") == "system"
    return not is_of_system and values.get("turnOrigin") in _TURNS_OF_PERSONS


def _typed_in(content: object, *, is_marked: bool) -> str:
    words = (_typed(text, is_marked=is_marked) for text in texts(content))
    return "\n\n".join(filter(None, words))


def _typed(text: str, *, is_marked: bool) -> str:
    text = text.lstrip()
    if text.startswith(_COMMAND):
        tags = _COMMAND_NAME.search(text), _ARGUMENTS.search(text)
        return " ".join(tag[1].strip() for tag in tags if tag).strip()
    words = typed_words(_INTERRUPTED.sub("", text, count=1))
    is_of_program = not is_marked and any(map(_OF_PROGRAMS.match, (text, words)))
    return "" if is_of_program else words
