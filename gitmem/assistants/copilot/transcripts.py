"""Copilot CLI: its session state, a file of JSON lines for each conversation.

Written after records of version 1.0.102 and the schema in its package: each line has a
type, a time and data. What a subagent says or does has its id, or the call it is of.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import What
from gitmem.assistants.copilot.hooks import of_home
from gitmem.assistants.payload import client_id, inner, items, text, typed
from gitmem.assistants.transcripts import (
    Transcript,
    TranscriptReader,
    Unread,
    kept_in,
)
from gitmem.assistants.transcripts.transcript_builder import (
    TranscriptBuilder,
    take_lines,
)
from gitmem.assistants.transcripts.transcript_files import aware_moment, json_lines
from gitmem.documents.conversation.conversation import Speaker
from gitmem.git.values import Change

FILE = "events.jsonl"
_CHANGES = {
    "create": Change.CREATED,
    "edit": Change.MODIFIED,
    "delete": Change.DELETED,
}
_FAULT = "not as Copilot CLI writes it"


def _read(file: Path) -> Iterator[Transcript | Unread]:
    session = _Session("copilot")
    yield from take_lines(json_lines(file), session.take, _FAULT)
    yield from session.built()


COPILOT = TranscriptReader("copilot", FILE, kept_in(of_home("session-state")), _read)


@dataclass(slots=True)
class _Session(TranscriptBuilder):
    _now_in: str = ""
    _calls: dict[str, tuple[str, datetime | None]] = field(default_factory=dict)

    def take(self, line: Mapping[str, Any]) -> None:
        """Take a line, the first as the beginning.

        Raises KeyError, TypeError, ValueError.
        """
        if self.began_at is None:
            self._begin(line)
            return
        at, kind = aware_moment(line.get("timestamp")), text(line, "type")
        self.add_time(at)
        data = inner(line, "data")
        match kind:
            case "tool.execution_start":
                self._take_call(data, at)
            case "tool.execution_complete":
                self._take_result(data, at)
            case _ if not (line.get("agentId") or data.get("parentToolCallId")):
                self._take_own(kind, data, at)

    def _begin(self, first: Mapping[str, Any]) -> None:
        data = inner(first, "data")
        began_at = aware_moment(text(data, "startTime"))
        if text(first, "type") != "session.start" or began_at is None:
            raise ValueError("no beginning")
        context = data.get("context")
        place = context if isinstance(context, dict) else {}
        branch = place.get("branch")
        self.branch = branch if isinstance(branch, str) else None
        self.folder = self._now_in = text(place, "cwd", "")
        self.id = client_id(data, "sessionId")
        self.began_at = began_at

    def _take_own(self, kind: str, data: dict[str, Any], at: datetime | None) -> None:
        """Take what is no subagent's."""
        match kind:
            case "user.message" if _is_typed(data):
                self.add_turn(Speaker.PERSON, typed(text(data, "content")), at)
            case "assistant.message":
                self.add_turn(Speaker.ASSISTANT, text(data, "content").strip(), at)
            case "session.compaction_complete":
                summary = text(data, "summaryContent", "").strip()
                self.summary = summary or self.summary
            case "session.context_changed":
                self._now_in = text(data, "cwd")
            case "session.resume" if data.get("context") is not None:
                self._now_in = text(inner(data, "context"), "cwd")

    def _take_call(self, data: dict[str, Any], at: datetime | None) -> None:
        arguments = data.get("arguments")
        command = arguments.get("command") if isinstance(arguments, dict) else None
        if isinstance(command, str):
            self._calls[text(data, "toolCallId")] = command, at

    def _take_result(self, data: dict[str, Any], at: datetime | None) -> None:
        for edit in items(data, "fileEdits") if "fileEdits" in data else ():
            path, change = text(edit, "path"), _CHANGES[text(edit, "kind")]
            if path:
                self.add_event(What.EDIT, self._now_in, path=path, change=change)
        command, began = self._calls.pop(text(data, "toolCallId"), ("", None))
        if command and at:
            result = inner(data, "result") if data.get("result") else {}
            output = text(result, "content", "")
            self.add_command(command, output, self._now_in, began, at)


def _is_typed(prompt: Mapping[str, Any]) -> bool:
    """Tell whether a person typed it; what programs send says so."""
    is_of_person = prompt.get("source") in (None, "user")
    return is_of_person and prompt.get("isAutopilotContinuation") is not True
