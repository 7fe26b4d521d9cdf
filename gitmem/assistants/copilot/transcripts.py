"""Copilot CLI: its session state, a file of JSON lines for each conversation.

Written after records of version 1.0.102 and the schema in its package: each line has a
type, a time and data. What a subagent says or does has its id, or the call it is of.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import HookEvent, What
from gitmem.assistants.copilot.hooks import home_of
from gitmem.assistants.payload import client_id, inner, items, text, typed
from gitmem.assistants.transcripts import (
    Made,
    Ran,
    Transcript,
    TranscriptReader,
    Unread,
    printed,
)
from gitmem.assistants.transcripts.transcript_files import (
    aware_moment,
    json_lines,
)
from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.git.values import Change

FILE = "events.jsonl"
_CHANGES = {
    "create": Change.CREATED,
    "edit": Change.MODIFIED,
    "delete": Change.DELETED,
}
_RUN_LENGTH = 20_000
"""Characters of a command, and of its output."""


def _places(
    user_home: Path, variables: Mapping[str, str], _roots: Iterable[Path]
) -> Iterator[Path]:
    yield home_of(user_home, variables) / "session-state"


def _read(file: Path) -> Iterator[Transcript | Unread]:
    session: _Session | None = None
    for line in json_lines(file):
        if isinstance(line, Unread):
            yield line
            continue
        try:
            if session:
                session.take(line.values)
            else:
                session = _Session.of(line.values)
        except (KeyError, TypeError, ValueError):
            yield Unread("not as Copilot CLI writes it", line.at)
            if session is None:
                return
    if session:
        yield from session.come_to()


COPILOT = TranscriptReader("copilot", FILE, _places, _read)


@dataclass(slots=True)
class _Session:
    id: str
    began_at: datetime
    folder: str
    branch: str | None
    _ended_at: datetime
    _now_in: str
    _turns: list[Turn] = field(default_factory=list)
    _seen: list[HookEvent] = field(default_factory=list)
    _commits: list[Made] = field(default_factory=list)
    _ran: list[Ran] = field(default_factory=list)
    _calls: dict[str, tuple[str, datetime | None]] = field(default_factory=dict)
    _summary: str = ""

    @classmethod
    def of(cls, first: Mapping[str, Any]) -> "_Session":
        """Read a first line. Raises KeyError, TypeError, ValueError."""
        data = inner(first, "data")
        began_at = aware_moment(text(data, "startTime"))
        if text(first, "type") != "session.start" or began_at is None:
            raise ValueError("no beginning")
        context = data.get("context")
        place = context if isinstance(context, dict) else {}
        folder, branch = text(place, "cwd", ""), place.get("branch")
        return cls(
            id=client_id(data, "sessionId"),
            began_at=began_at,
            folder=folder,
            branch=branch if isinstance(branch, str) else None,
            _ended_at=began_at,
            _now_in=folder,
        )

    def take(self, line: Mapping[str, Any]) -> None:
        at, kind = aware_moment(line.get("timestamp")), text(line, "type")
        self._ended_at = max(self._ended_at, at or self._ended_at)
        data = inner(line, "data")
        match kind:
            case "tool.execution_start":
                self._take_call(data, at)
            case "tool.execution_complete":
                self._take_result(data, at)
            case _ if not (line.get("agentId") or data.get("parentToolCallId")):
                self._take_own(kind, data, at)

    def come_to(self) -> Iterator[Transcript]:
        if self._turns or self._seen or self._commits:
            yield Transcript(
                tool="copilot",
                client_session_id=self.id,
                folder=self.folder,
                branch=self.branch,
                began_at=self.began_at,
                ended_at=self._ended_at,
                turns=tuple(self._turns),
                seen=tuple(self._seen),
                commits=tuple(self._commits),
                ran=tuple(self._ran),
                summary=self._summary,
            )

    def _take_own(self, kind: str, data: dict[str, Any], at: datetime | None) -> None:
        """Take what is no subagent's."""
        match kind:
            case "user.message" if _is_typed(data):
                self._say(Speaker.PERSON, typed(text(data, "content")), at)
            case "assistant.message":
                self._say(Speaker.ASSISTANT, text(data, "content").strip(), at)
            case "session.compaction_complete":
                summary = text(data, "summaryContent", "").strip()
                self._summary = summary or self._summary
            case "session.context_changed":
                self._now_in = text(data, "cwd")
            case "session.resume" if data.get("context") is not None:
                self._now_in = text(inner(data, "context"), "cwd")

    def _say(self, speaker: Speaker, words: str, at: datetime | None) -> None:
        if words:
            self._turns.append(Turn(speaker, words, at))

    def _take_call(self, data: dict[str, Any], at: datetime | None) -> None:
        arguments = data.get("arguments")
        command = arguments.get("command") if isinstance(arguments, dict) else None
        if isinstance(command, str):
            self._calls[text(data, "toolCallId")] = command, at

    def _take_result(self, data: dict[str, Any], at: datetime | None) -> None:
        for edit in items(data, "fileEdits") if "fileEdits" in data else ():
            self._take_edit(text(edit, "path"), _CHANGES[text(edit, "kind")])
        command, began = self._calls.pop(text(data, "toolCallId"), ("", None))
        if command and at:
            result = inner(data, "result") if data.get("result") else {}
            output = text(result, "content", "")
            self._commits += printed(command, output)
            command, output = command[:_RUN_LENGTH], output[:_RUN_LENGTH]
            self._ran.append(Ran(command, output, self._now_in, began or at, at))

    def _take_edit(self, path: str, change: Change) -> None:
        name, folder = self.id, self._now_in
        event = HookEvent(what=What.EDIT, client_session_id=name, folder=folder)
        if path:
            self._seen.append(replace(event, path=path, change=change))


def _is_typed(prompt: Mapping[str, Any]) -> bool:
    """Tell whether a person typed it; what programs send says so."""
    is_of_person = prompt.get("source") in (None, "user")
    return is_of_person and prompt.get("isAutopilotContinuation") is not True
