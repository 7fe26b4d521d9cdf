"""Copilot CLI: its session state, a file of JSON lines for each conversation.

Written after records of version 1.0.102 and the schema in its package: each line has a
type, a time and data. What a subagent says or does has its id, or the call it is of.
Results name edited files since version 1.0.65; before, the calls do. The first versions
wrote `<id>.jsonl` without a folder of its own, and did not say where they ran.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.claude_code.hooks import Edit
from gitmem.assistants.codex.hooks import CHANGES
from gitmem.assistants.copilot.hooks import edits_by, of_home
from gitmem.assistants.payload import (
    client_id,
    inner,
    items,
    text,
    text_if_any,
    typed_words,
)
from gitmem.assistants.targets import members
from gitmem.assistants.transcripts import (
    Transcript,
    TranscriptReader,
    Unread,
    shared_places,
)
from gitmem.assistants.transcripts.transcript_builder import Mark, TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import aware_moment, json_lines
from gitmem.documents.conversation.conversation import Speaker
from gitmem.text.patterns import pattern

FILE = "events.jsonl"
_FOLDER = "session-state"
_PASSED_OVER = """
    abort assistant.intent assistant.reasoning assistant.turn_end assistant.turn_start
    assistant.usage command.completed command.execute exit_plan_mode.completed
    exit_plan_mode.requested hook.end hook.progress hook.start permission.completed
    permission.requested session.compaction_start session.context_cleared session.error
    session.handoff session.idle session.info session.mode_changed session.model_change
    session.permissions_changed session.plan_changed session.resume session.shutdown
    session.start session.task_complete session.title_changed session.todos_changed
    session.tools_updated session.truncation session.usage_checkpoint session.warning
    session.usage_info session.usage_record session.workspace_file_changed
    skill.invoked subagent.completed subagent.configured
    subagent.deselected subagent.failed subagent.selected subagent.started
    system.message system.notification tool.execution_partial_result
    tool.execution_progress tool.user_requested user.message user_input.completed
    user_input.requested
"""
_HARMLESS = frozenset(_PASSED_OVER.split())
"""Types of lines that have nothing for us, or not always."""
_TRUSTED = pattern(r"Folder (.+) has been added to trusted folders\.?")
_WORKSPACE_FOLDER = pattern(r"^cwd: (['\"]?)(.+)\1$", re.MULTILINE)
_LONGEST_WORKSPACE = 65_536


def _read(file: Path) -> Iterator[Transcript | Unread]:
    if file.name != FILE and file.parent.name != _FOLDER:
        return
    session = _CopilotBuilder("copilot")
    lines = json_lines(file)
    session.take_lines(lines, session.take, "not as Copilot CLI writes it")
    session.folder = session.folder or _workspace_folder(file) or session.trusted
    yield from session.built()


def _workspace_folder(file: Path) -> str:
    with suppress(OSError), file.with_name("workspace.yaml").open("rb") as stream:
        workspace = stream.read(_LONGEST_WORKSPACE).decode(errors="replace")
        if match := _WORKSPACE_FOLDER.search(workspace):
            return match[2].replace("''", "'")
    return ""


COPILOT = TranscriptReader("copilot", "*.jsonl", shared_places(of_home(_FOLDER)), _read)


@dataclass(slots=True)
class _CopilotBuilder(TranscriptBuilder):
    _now_in: str = ""
    trusted: str = ""
    """The folder that the person trusted at the beginning."""
    _calls: dict[str, tuple[list[Edit], str, datetime | None]] = field(
        default_factory=dict
    )
    """The edits, command and time of calls without a result so far."""
    _marks: dict[str, Mark] = field(default_factory=dict)
    """The states before each line."""

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
        self._marks[text(line, "id", "")] = self.mark()
        match kind:
            case "tool.execution_start":
                self._take_call(data, at)
            case "tool.execution_complete":
                self._take_result(data, at)
            case "session.snapshot_rewind":
                mark = self._marks.get(text(data, "upToEventId"))
                self.take_back(mark or self.mark())
            case _ if not (line.get("agentId") or data.get("parentToolCallId")):
                self._take_own(kind, data, at)

    def _begin(self, first: Mapping[str, Any]) -> None:
        data = inner(first, "data")
        began_at = aware_moment(text(data, "startTime"))
        if text(first, "type") != "session.start" or began_at is None:
            raise ValueError("no beginning")
        place = members(data, "context")
        self.branch = text_if_any(place, "branch") or None
        self.folder = self._now_in = text(place, "cwd", "")
        self.id = client_id(data, "sessionId")
        self.began_at = began_at

    def _take_own(self, kind: str, data: dict[str, Any], at: datetime | None) -> None:
        """Take what is no subagent's."""
        match kind:
            case "user.message" if _is_typed(data):
                self.add_turn(Speaker.PERSON, typed_words(text(data, "content")), at)
            case "assistant.message":
                self.add_turn(Speaker.ASSISTANT, text(data, "content").strip(), at)
            case "session.compaction_complete":
                summary = text(data, "summaryContent", "").strip()
                self.summary = summary or self.summary
            case "session.context_changed":
                self._now_in = text(data, "cwd")
            case "session.resume" if data.get("context") is not None:
                self._now_in = text(inner(data, "context"), "cwd")
            case "session.info" if data.get("infoType") == "folder_trust":
                folder = _TRUSTED.fullmatch(text(data, "message"))
                self.trusted = self.trusted or (folder[1] if folder else "")
            case _ if kind not in _HARMLESS:
                self.pass_over(kind)

    def _take_call(self, data: dict[str, Any], at: datetime | None) -> None:
        edits = edits_by(text(data, "toolName", ""), data.get("arguments"))
        command = text_if_any(members(data, "arguments"), "command")
        self._calls[text(data, "toolCallId")] = edits, command, at

    def _take_result(self, data: dict[str, Any], at: datetime | None) -> None:
        name = text(data, "toolCallId")
        edits, command, began = self._calls.pop(name, ([], "", None))
        if "fileEdits" in data:
            edits = [
                (text(edit, "path"), CHANGES[text(edit, "kind")])
                for edit in items(data, "fileEdits")
            ]
        elif data.get("success") is not True:
            edits = []
        self.add_edits(edits, self._now_in)
        if command and at:
            output = text(members(data, "result"), "content", "")
            self.add_command(command, output, self._now_in, began, at)


def _is_typed(prompt: Mapping[str, Any]) -> bool:
    """Tell whether a person typed it; what programs send says so."""
    is_of_person = prompt.get("source") in (None, "user")
    return is_of_person and prompt.get("isAutopilotContinuation") is not True
