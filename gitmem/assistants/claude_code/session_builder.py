"""Build the transcript of a session of Claude Code from its records."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import HookEvent
from gitmem.assistants.claude_code.copies import MESSAGES, Original
from gitmem.assistants.claude_code.hooks import read_event
from gitmem.assistants.claude_code.transcript_line import (
    OUTPUTS,
    SHELL,
    Call,
    ToolResult,
    branch_of,
    calls_of,
    compaction_summary,
    folder_of,
    program_of,
    prompt,
    record_of_subagent,
    reply_to,
    results_of,
    words_of,
)
from gitmem.assistants.payload import text_if_any
from gitmem.assistants.transcripts import (
    CommandRun,
    PrintedCommit,
    Transcript,
    Unread,
)
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import aware_moment
from gitmem.documents.conversation.conversation import Speaker, Turn

_NEVER = datetime.min.replace(tzinfo=UTC)
_OPERATIONS = ("enqueue", "dequeue", "remove", "popAll")


@dataclass(slots=True)
class SessionBuilder(TranscriptBuilder):
    """The lines of a session.

    The call of a tool and its result are two lines. Together they are the payload of a
    hook, and the code for hooks reads them.
    """

    since: datetime | None = None
    """Earlier lines are copies in a fork."""
    original: Original = field(default_factory=Original)
    own_part: "SessionBuilder | None" = None
    _events: list[tuple[datetime, HookEvent]] = field(default_factory=list)
    _commits: list[tuple[datetime, PrintedCommit]] = field(default_factory=list)
    _calls: dict[str, Call] = field(default_factory=dict)
    """Calls without a result so far, by id."""
    _names: set[str] = field(default_factory=set)
    _waiting: list[Turn] = field(default_factory=list)
    """Prompts that wait in the queue."""
    _sent: list[Turn] = field(default_factory=list)
    """Prompts that left the queue during a turn."""
    _entrypoints: set[str] = field(default_factory=set)

    def take(self, values: Mapping[str, Any], *, of_subagent: bool = False) -> None:
        """Add a line once; not what a subagent and its caller said."""
        record = record_of_subagent(values)
        self._take_message(
            record or values, of_subagent=of_subagent or record is not None
        )

    def _take_message(self, values: Mapping[str, Any], *, of_subagent: bool) -> None:
        self._take_own(values, of_subagent=of_subagent)
        if self._is_there(values):
            return
        at = aware_moment(values.get("timestamp"))
        if self.since and at and at < self.since:
            return
        of_subagent = of_subagent or values.get("isSidechain") is True
        if not of_subagent:
            self.summary = compaction_summary(values) or self.summary
            for speaker, words in words_of(values):
                self.add_turn(speaker, words, at)
            self._take_queue_operation(values, at)
            self._entrypoints.add(text_if_any(values, "entrypoint"))
        folder = folder_of(values)
        if not Path(self.folder).is_absolute():
            self.folder = folder or self.folder
        self.branch = branch_of(values) or self.branch
        if at:
            self.began_at = min(self.began_at or at, at)
            self.add_time(at)
        self._calls.update((call.id, call) for call in calls_of(values, at))
        about = {"cwd": folder or self.folder, "agent_id": of_subagent}
        for result in results_of(values):
            self._take_result(result, at or self.ended_at or _NEVER, about)

    def awaits(self, values: Mapping[str, Any]) -> bool:
        """Tell whether a line calls a tool without a result so far."""
        record = record_of_subagent(values) or values
        return any(call.id in self._calls for call in calls_of(record, None))

    def come_to(self) -> Iterator[Transcript | Unread]:
        """Yield what `built` yields, with events in the order of time."""
        self._add_queued()
        self.program = program_of(self._entrypoints, self.folder, self.turns)
        events = sorted(self._events, key=itemgetter(0))
        self.events = [replace(event, at=at) for at, event in events]
        self.commits = [item for _, item in sorted(self._commits, key=itemgetter(0))]
        for part in self.built():
            if isinstance(part, Transcript) and self.parent:
                yield replace(part, own_part=self._own_part_of(part))
            else:
                yield part

    def _take_own(self, values: Mapping[str, Any], *, of_subagent: bool) -> None:
        """Add a line to what comes after the copy, or begin that anew."""
        if parent := self.original.origin_of(values, self.id):
            self.parent, self.own_part = parent, None
        elif self.parent:
            self.own_part = self.own_part or self._begun_anew()
            self.own_part.take(values, of_subagent=of_subagent)

    def _begun_anew(self) -> "SessionBuilder":
        """Return a builder for what comes after the lines so far."""
        builder = SessionBuilder(self.tool, self.id, self.folder, self.branch)
        builder._calls = {**self._calls}
        return builder

    def _own_part_of(self, whole: Transcript) -> Transcript:
        for part in self.own_part.come_to() if self.own_part else ():
            if isinstance(part, Transcript):
                return replace(part, parent=self.parent)
        return replace(whole, turns=(), events=(), commits=(), runs=(), summary="")

    def _is_there(self, values: Mapping[str, Any]) -> bool:
        name = values.get("uuid")
        if not isinstance(name, str) or values.get("type") not in MESSAGES:
            return False
        is_there = name in self._names
        self._names.add(name)
        return is_there

    def _take_queue_operation(
        self, values: Mapping[str, Any], at: datetime | None
    ) -> None:
        """Note a prompt in the queue, and what became of it.

        Older versions write nothing else of one that the model gets during its turn.
        """
        operation = values.get("operation")
        if values.get("type") != "queue-operation" or operation not in _OPERATIONS:
            return
        turn = Turn(Speaker.PERSON, prompt(values), at)
        if operation == "enqueue":
            self._waiting.append(turn)
            return
        is_named = "content" in values
        queue = (x for x in self._waiting if x.text == turn.text or not is_named)
        if queued := next(queue, None):
            self._waiting.remove(queued)
        if operation == "remove" and not values.get("reason"):
            self._sent.append(queued or turn)

    def _add_queued(self) -> None:
        """Add the prompts of the queue that no other line has, in order of time."""
        typed = {turn.text for turn in self.turns if turn.speaker is Speaker.PERSON}
        for turn in (*self._sent, *self._waiting):
            if turn.text and turn.text not in typed:
                later = (
                    place
                    for place, spoken in enumerate(self.turns)
                    if spoken.at and turn.at and spoken.at > turn.at
                )
                self.turns.insert(next(later, len(self.turns)), turn)

    def _take_result(
        self, result: ToolResult, at: datetime, about: dict[str, Any]
    ) -> None:
        """Take a result; a failed command may still have committed."""
        call = self._calls.pop(result.id, None)
        if call and call.tool == SHELL:
            command, output = text_if_any(call.arguments, "command"), result.output
            self._add_commits(command, output, at)
            self.add_run(CommandRun(command, output, call.folder, call.at or at, at))
        elif call and call.tool in OUTPUTS:
            self._add_commits("", result.output, at)
        elif call and not result.is_error:
            for speaker, words in () if about["agent_id"] else reply_to(call, result):
                self.add_turn(speaker, words, at)
            payload = {
                "hook_event_name": "PostToolUse",
                "session_id": self.id,
                "tool_name": call.tool,
                "tool_input": call.arguments,
                "tool_response": result.response,
            }
            with suppress(KeyError, TypeError, ValueError):
                if event := read_event({**payload, **about}):
                    self._events.append((at, event))

    def _add_commits(self, command: str, output: str, at: datetime) -> None:
        commits = self.commits_in(command, output)
        self._commits.extend((at, commit) for commit in commits)
