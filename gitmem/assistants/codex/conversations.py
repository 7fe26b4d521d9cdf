"""Codex: its rollouts, a file of JSON lines for each conversation.

Written after records of version 0.169.0 and the source of earlier ones: each line has a
time, a type and a payload. Words stand there up to twice: in items, as the model gets
them, with much that no person typed, and in events, as shown on the screen. Events
count where there are any. Until September 2025 a line was the payload alone, without a
time; until June there was one object, `.json`. Neither has the folder but in what the
model was told, or in calls of the shell.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate, compress
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import EventKind
from gitmem.assistants.codex.hooks import of_home
from gitmem.assistants.codex.rollouts import (
    HARMLESS,
    arguments_of,
    command_of,
    output_of,
    patched,
    recorded,
    typed_by_person,
    words_of,
)
from gitmem.assistants.codex.threads import (
    BEGINNING,
    PLACES,
    first_line,
    superseded,
    thread_lines,
)
from gitmem.assistants.payload import client_id, inner, text, text_if_any, todos
from gitmem.assistants.targets import members
from gitmem.assistants.transcripts import (
    Transcript,
    TranscriptReader,
    Unread,
    shared_places,
)
from gitmem.assistants.transcripts.transcript_builder import Mark, TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import JsonLine, aware_moment
from gitmem.documents.conversation.conversation import Speaker
from gitmem.text.patterns import pattern

_ITEM, _EVENT, _COMPLETED = range(3)
"""Sources of words, the least trusted first."""
_FOLDER = pattern(
    r"(?s)\s*<environment_context>.*?"
    r"(?:<cwd>([^<\n]+)</cwd>|Current working directory: ([^\n]+))"
)
_PLAN = "update_plan"
_WAITING = "write_stdin"
"""The tool that goes on with a command, or waits for it."""


@dataclass(slots=True)
class _Call:
    command: str
    folder: str
    began: datetime | None
    is_shell: bool
    is_recorded: bool = False


@dataclass(slots=True)
class _CodexBuilder(TranscriptBuilder):
    is_of_agent: bool = False
    _now_in: str = ""
    _believed: dict[Speaker, int] = field(default_factory=dict)
    """The sources of their words."""
    _calls: dict[str, _Call] = field(default_factory=dict)
    _prompts: list[Mark] = field(default_factory=list)
    """The states before each prompt."""

    @classmethod
    def begin(cls, line: Mapping[str, Any]) -> "_CodexBuilder":
        """Read a first line. Raises KeyError, TypeError, ValueError."""
        kind, meta, at = _parts(line)
        began_at = aware_moment(meta["timestamp"]) if "timestamp" in meta else at
        if kind != BEGINNING or began_at is None:
            raise ValueError("no beginning")
        folder, git = text(meta, "cwd", ""), members(meta, "git")
        return cls(
            "codex",
            id=client_id(meta, "id"),
            began_at=began_at,
            folder=folder,
            branch=text_if_any(git, "branch") or None,
            parent=text(meta, "forked_from_id", ""),
            base=text_if_any(git, "commit_hash"),
            is_of_agent=meta.get("thread_source") == "subagent"
            or "subagent" in members(meta, "source"),
            _now_in=folder,
        )

    def take(self, line: Mapping[str, Any]) -> None:
        """Take a line that follows. Raises KeyError, TypeError, ValueError."""
        kind, values, at = _parts(line)
        self.add_time(at)
        if kind == "turn_context":
            self._now_in = text(values, "cwd", "") or self.folder
        elif kind == "response_item":
            self._take_item(values, at)
        elif kind == "event_msg":
            self._take_event(values, at)
        elif kind not in HARMLESS:
            self.pass_over(kind)

    def _take_item(self, item: Mapping[str, Any], at: datetime | None) -> None:
        match kind := text(item, "type"):
            case "message" if item.get("role") in ("user", "assistant"):
                words = words_of(item)
                if not self.folder and (match := _FOLDER.match(words)):
                    self.folder = self._now_in = (match[1] or match[2]).strip()
                self._say(_ITEM, text(item, "role"), words, at)
            case "function_call" | "custom_tool_call" | "local_shell_call":
                arguments = item.get("arguments", item.get("input", item.get("action")))
                self._take_call(item, arguments_of(arguments), at)
            case "function_call_output" | "custom_tool_call_output":
                self._take_output(item, output_of(item.get("output")), at)
            case _ if kind not in HARMLESS:
                self.pass_over(kind)

    def _take_event(self, event: Mapping[str, Any], at: datetime | None) -> None:
        kind = text(event, "type")
        match kind:
            case "user_message" | "agent_message":
                if event.get("kind") in (None, "plain"):
                    self._say(_EVENT, kind, text(event, "message"), at)
            case "patch_apply_end" if event.get("changes") is not None:
                is_done = event.get("success") is True
                self._take_changes(text(event, "call_id"), event, is_done=is_done)
            case "thread_rolled_back":
                self._roll_back(event["num_turns"])
            case "item_completed":
                if event.get("thread_id") in (None, self.id):
                    self._take_completed(inner(event, "item"), at)
            case _ if kind not in HARMLESS:
                self.pass_over(kind)

    def _take_completed(self, item: Mapping[str, Any], at: datetime | None) -> None:
        kind = text(item, "type")
        match kind:
            case "UserMessage" | "AgentMessage":
                self._say(_COMPLETED, kind, words_of(item), at)
            case "FileChange":
                is_done = item.get("status") == "completed"
                self._take_changes(text(item, "id"), item, is_done=is_done)
            case "CommandExecution" if text(item, "id") not in self._calls:
                self._take_command(item, at)
            case "Plan":
                self._say(_COMPLETED, kind, text(item, "text"), at)
            case _ if kind not in HARMLESS:
                self.pass_over(f"item_completed {kind}")

    def _say(self, source: int, who: str, words: str, at: datetime | None) -> None:
        is_person = who.lower().startswith("user")
        speaker = Speaker.PERSON if is_person else Speaker.ASSISTANT
        believed = self._believed.get(speaker, source)
        words = typed_by_person(words) if is_person else words.strip()
        if source < believed:
            return
        if words and source > believed:
            self._forget(speaker)
        if is_person and (words or source > _ITEM):  # a picture alone is a turn
            self._prompts.append(self.mark())
        if words:
            self._believed[speaker] = source
            self.add_turn(speaker, words, at)

    def _forget(self, speaker: Speaker) -> None:
        """Forget what a speaker said by a source that is trusted less."""
        if speaker is Speaker.PERSON:
            self._prompts.clear()
        is_kept = [turn.speaker is not speaker for turn in self.turns]
        counts = [0, *accumulate(is_kept)]
        self._prompts = [
            (counts[turns], seen, ran) for turns, seen, ran in self._prompts
        ]
        self.turns = [*compress(self.turns, is_kept)]

    def _roll_back(self, count: int) -> None:
        """Take back the last prompts and what followed them."""
        if count > 0 and self._prompts:
            self.take_back(self._prompts[-count:][0])
            del self._prompts[-count:]

    def _take_command(self, item: Mapping[str, Any], at: datetime | None) -> None:
        """Take a command that the person ran."""
        command, output = command_of(item), text(item, "aggregated_output", "")
        folder = text(item, "cwd", "").removeprefix("file://")
        self.add_command(command, output, folder or self._now_in, at, at)

    def _take_call(
        self, item: Mapping[str, Any], arguments: Mapping[str, Any], at: datetime | None
    ) -> None:
        if item.get("name") == _PLAN:
            steps = todos(arguments, "plan", "step")
            self.add_event(
                EventKind.TODOS, self._now_in, todos=steps, is_whole_list=True
            )
            return
        folder = arguments.get("workdir") or arguments.get("working_directory")
        folder = folder if isinstance(folder, str) else ""
        self.folder = self.folder or folder
        command = command_of(arguments)
        is_shell = bool(command) or item.get("name") == _WAITING
        call = _Call(command, folder or self._now_in, at, is_shell)
        self._calls[text(item, "call_id")] = call

    def _take_output(
        self, item: Mapping[str, Any], output: str, at: datetime | None
    ) -> None:
        if call := self._calls.pop(text(item, "call_id"), None):
            ended = at if call.is_shell else None
            self.add_command(call.command, output, call.folder, call.began, ended)
            if not call.is_recorded:
                self.add_edits(patched(call.command, output), call.folder)

    def _take_changes(
        self, name: str, values: Mapping[str, Any], *, is_done: bool
    ) -> None:
        call = self._calls.get(name)
        if call:
            call.is_recorded = True
        if is_done:
            folder = call.folder if call else self._now_in
            self.add_edits(recorded(inner(values, "changes")), folder)


def _read(file: Path) -> Iterator[Transcript | Unread]:
    """Read a conversation, unless it is a subagent's."""
    lines = thread_lines(file)
    first = next(lines, None)
    if first is None:
        return
    session = _begun(first)
    if session is None:
        yield Unread("no beginning of a conversation", 1)
    elif not session.is_of_agent:
        session.take_lines(lines, session.take, "not as Codex writes it")
        yield from session.built()


def _parent_in(file: Path, _: str) -> str:
    session = _begun(first_line(file))
    return session.parent if session else ""


CODEX = TranscriptReader(
    "codex",
    "rollout-*.json*",  # in folders by day, not by project
    shared_places(*map(of_home, PLACES)),
    _read,
    parent_in=_parent_in,
    superseded=superseded,
)


def _begun(line: JsonLine | Unread | None) -> _CodexBuilder | None:
    with suppress(KeyError, TypeError, ValueError):
        return _CodexBuilder.begin(line.values) if isinstance(line, JsonLine) else None
    return None


def _parts(values: Mapping[str, Any]) -> tuple[str, dict[str, Any], datetime | None]:
    """Return type, payload and time of a line. Raises KeyError, TypeError."""
    at = aware_moment(text(values, "timestamp", ""))
    return text(values, "type"), inner(values, "payload"), at
