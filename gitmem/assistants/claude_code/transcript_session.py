"""Gather the lines of a session of Claude Code.

The call of a tool and its result are two lines. Together they are the payload of a
hook, and the code for hooks reads them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gitmem.assistants.assistant import HookEvent
from gitmem.assistants.claude_code.hooks import seen
from gitmem.assistants.claude_code.transcript_line import (
    SHELL,
    Call,
    Line,
    Result,
    parse,
)
from gitmem.assistants.transcripts import Made, Ran, Transcript, Unread, printed
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.documents.conversation.conversation import Turn
from gitmem.text.patterns import pattern

_SUBAGENT_ID = pattern(r"[A-Za-z0-9_-]{1,100}")
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class Gathered(TranscriptBuilder):
    since: datetime | None = None
    """Earlier lines are copies in a fork."""
    subagents: set[str] = field(default_factory=set)
    _events: list[tuple[datetime, HookEvent]] = field(default_factory=list)
    _made: list[tuple[datetime, Made]] = field(default_factory=list)
    _calls: dict[str, Call] = field(default_factory=dict)
    """Calls without a result so far, by id."""
    _names: set[str] = field(default_factory=set)

    def take(self, values: Mapping[str, Any], *, of_subagent: bool = False) -> None:
        """Add a line unless it is a copy."""
        if isinstance(values.get("forkedFrom"), dict) or self._is_there(values):
            return
        line = parse(values, of_subagent=of_subagent)
        if self.since and line.at and line.at < self.since:
            return
        self.summary = line.summary or self.summary
        self.folder = self.folder or line.folder
        self.branch = line.branch or self.branch
        if line.at:
            self.began_at = min(self.began_at or line.at, line.at)
            self.add_time(line.at)
        self.turns.extend(Turn(speaker, text, line.at) for speaker, text in line.words)
        self._calls.update((call.id, call) for call in line.calls)
        for result in line.results:
            self._take_result(result, line)

    def awaits(self, values: Mapping[str, Any]) -> bool:
        """Tell whether a line calls a tool without a result so far."""
        return any(call.id in self._calls for call in parse(values).calls)

    def come_to(self) -> Iterator[Transcript | Unread]:
        """Yield the transcript, in the order of time, if there is anything in it."""
        self.seen = [each for _, each in sorted(self._events, key=_time)]
        self.commits = [each for _, each in sorted(self._made, key=_time)]
        if self.turns or self.summary or self.seen or self.commits or self.ran:
            yield self.transcript() or Unread("no line of the session has a time")

    def _is_there(self, values: Mapping[str, Any]) -> bool:
        name = values.get("uuid")
        if not isinstance(name, str) or values.get("type") not in ("user", "assistant"):
            return False
        is_there = name in self._names
        self._names.add(name)
        return is_there

    def _take_result(self, result: Result, line: Line) -> None:
        """Take a result; a failed command may still have committed."""
        self._note_subagent(result)
        call = self._calls.pop(result.id, None)
        at = line.at or self.ended_at or _NEVER
        if call and call.tool == SHELL:
            command, output = _command(call), result.output
            self._made.extend((at, each) for each in printed(command, output))
            self.add_run(Ran(command, output, call.folder, call.at or at, at))
        elif (
            call
            and not result.is_error
            and (found := self._seen_in(call, result, line))
        ):
            self._events.append((at, found))

    def _note_subagent(self, result: Result) -> None:
        response = result.response
        name = response.get("agentId") if isinstance(response, dict) else None
        if isinstance(name, str) and _SUBAGENT_ID.fullmatch(name):
            self.subagents.add(name)

    def _seen_in(self, call: Call, result: Result, line: Line) -> HookEvent | None:
        payload = {
            "hook_event_name": "PostToolUse",
            "session_id": self.id,
            "cwd": line.folder or self.folder,
            "tool_name": call.tool,
            "tool_input": call.arguments,
            "tool_response": result.response,
            "agent_id": line.of_subagent,
        }
        try:
            return seen(payload)
        except (KeyError, TypeError, ValueError):
            return None


def _command(call: Call) -> str:
    command = call.arguments.get("command")
    return command if isinstance(command, str) else ""


def _time(entry: tuple[datetime, object]) -> datetime:
    return entry[0]
