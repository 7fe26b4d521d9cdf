"""The transcripts of Claude Code: a file of JSON lines for every session.

They lie at `~/.claude/projects/<folder>/<session id>.jsonl`; the folder is that of the
session's beginning, with a hyphen for all but letters and digits. Subagents have files
of their own, `agent-<id>.jsonl`, in `<session id>/subagents`. Undocumented: written
after records of versions 2.0.76 to 2.1.197.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import HookEvent
from gitmem.assistants.claude_code.hooks import seen
from gitmem.assistants.claude_code.transcript_line import (
    SHELL,
    Call,
    Result,
    branch_of,
    calls_of,
    compaction_summary,
    folder_of,
    results_of,
    words_of,
)
from gitmem.assistants.payload import text_if_any
from gitmem.assistants.transcripts import (
    Made,
    Part,
    Ran,
    Transcript,
    TranscriptReader,
    Unread,
    printed,
)
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import (
    aware_moment,
    json_lines,
    lines_beyond,
)
from gitmem.text.patterns import pattern

_TOOL = "claude-code"
_SESSION_ID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_OF_SUBAGENT = "agent-"
_NOT_IN_NAMES = pattern(r"[^A-Za-z0-9]")
_LONGEST_NAME = 200
"""Characters of a folder's name, which ends in a checksum if cut."""
READ_LIMIT = 8_000_000
"""Bytes to read at once."""
_MOST_LATE = 50
"""Lines to wait for the result of a call."""
_OF_NO_SESSION = ("summary", "file-history-snapshot")
_NEVER = datetime.min.replace(tzinfo=UTC)


def _places(
    user_home: Path, variables: Mapping[str, str], roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the folders named after the work trees, or with longer names."""
    names = tuple(folder_name(root) for root in roots)
    own = [user_home / ".claude", user_home / ".config" / "claude"]
    configured = variables.get("CLAUDE_CONFIG_DIR")
    for settings in [Path(configured)] if configured else own:
        for folder in sorted((settings / "projects").glob("*")):
            if folder.name.startswith(names):
                yield folder


def _read(file: Path, since: datetime | None = None) -> Iterator[Transcript | Unread]:
    """Read the session that names the file, or all if none does.

    Lines of another session, in a resumed or forked one, are left to that one.
    """
    if file.name.startswith(_OF_SUBAGENT):
        yield Unread("it is read with the session of the subagent")
        return
    sessions: dict[str, _Session] = {}
    yield from _gather(file, sessions, since)
    for session in sessions.values():
        yield from _with_subagents(session, file)
        yield from session.come_to()


def _read_on(file: Path, session_id: str, offset: int, since: datetime | None) -> Part:
    """Read what a session's file has beyond `offset`, and its subagents.

    Stops before a call without a result. Raises OSError.
    """
    session = _Session(_TOOL, session_id, since=since)
    lines, end = lines_beyond(file, offset, READ_LIMIT)
    own = [each for each in lines if each.values.get("sessionId") == session_id]
    for line in own:
        session.take(line.values)
    late = own[-_MOST_LATE:]
    waiting = [line.at for line in late if session.awaits(line.values)]
    if end != offset:
        list(_with_subagents(session, file))
    found = (each for each in session.come_to() if isinstance(each, Transcript))
    return Part(next(found, None), min([*waiting, end]))


# A pattern of session ids: subagents are read with their sessions.
CLAUDE_CODE = TranscriptReader(
    _TOOL,
    "*-????-????-????-????????????.jsonl",
    _places,
    _read,
    read_fork=_read,
    read_on=_read_on,
)


def last_copied(file: Path, since: datetime) -> tuple[str, datetime] | None:
    """Return id and time of the last message before `since`, a copy.

    Raises OSError.
    """
    found = None
    for line in lines_beyond(file, 0, READ_LIMIT)[0]:
        name, at = line.values.get("uuid"), aware_moment(line.values.get("timestamp"))
        is_said = line.values.get("type") in ("user", "assistant")
        if is_said and isinstance(name, str) and at and at < since:
            found = (name, at)
    return found


def folder_name(root: Path) -> str:
    """Return how the folder of a root begins; it counts UTF-16 code units."""
    units = _NOT_IN_NAMES.sub(lambda each: "-" * (1 + (each[0] > "\uffff")), str(root))
    return units[:_LONGEST_NAME]


def _gather(
    file: Path, sessions: dict[str, "_Session"], since: datetime | None
) -> Iterator[Unread]:
    named = _SESSION_ID.search(file.stem)
    is_empty, is_known, has_others = True, False, False
    for line in json_lines(file):
        is_empty = False
        if isinstance(line, Unread):
            yield line
            continue
        session_id = line.values.get("sessionId")
        if not isinstance(session_id, str) or not session_id:
            is_known |= line.values.get("type") in _OF_NO_SESSION
        elif named and session_id != named[0]:
            has_others = True
        else:
            if session_id not in sessions:
                sessions[session_id] = _Session(_TOOL, session_id, since=since)
            sessions[session_id].take(line.values)
    if not (is_empty or is_known or has_others or sessions):
        yield Unread("no transcript of Claude Code")
    elif has_others and not sessions:
        yield Unread("only lines of other sessions")


def _with_subagents(session: "_Session", file: Path) -> Iterator[Unread]:
    folder = file.with_suffix("") / "subagents"
    for other in sorted(filter(_is_plain, folder.rglob("agent-*.jsonl"))):
        try:
            for line in json_lines(other):
                if isinstance(line, Unread):
                    yield Unread(f"{line.reason} in {other.name}", line.line)
                elif line.values.get("sessionId") == session.id:
                    session.take(line.values, of_subagent=True)
        except OSError:
            yield Unread(f"{other.name} cannot be opened")


def _is_plain(file: Path) -> bool:
    """Exclude links, which may lead anywhere, and devices."""
    return file.is_file() and not file.is_symlink()


@dataclass(slots=True)
class _Session(TranscriptBuilder):
    """The lines of a session.

    The call of a tool and its result are two lines. Together they are the payload of a
    hook, and the code for hooks reads them.
    """

    since: datetime | None = None
    """Earlier lines are copies in a fork."""
    _events: list[tuple[datetime, HookEvent]] = field(default_factory=list)
    _made: list[tuple[datetime, Made]] = field(default_factory=list)
    _calls: dict[str, Call] = field(default_factory=dict)
    """Calls without a result so far, by id."""
    _names: set[str] = field(default_factory=set)

    def take(self, values: Mapping[str, Any], *, of_subagent: bool = False) -> None:
        """Add a line unless it is a copy; not what a subagent and its caller said."""
        if isinstance(values.get("forkedFrom"), dict) or self._is_there(values):
            return
        at = aware_moment(values.get("timestamp"))
        if self.since and at and at < self.since:
            return
        of_subagent = of_subagent or values.get("isSidechain") is True
        if not of_subagent:
            self.summary = compaction_summary(values) or self.summary
            for speaker, words in words_of(values):
                self.add_turn(speaker, words, at)
        folder = folder_of(values)
        self.folder = self.folder or folder
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
        return any(call.id in self._calls for call in calls_of(values, None))

    def come_to(self) -> Iterator[Transcript | Unread]:
        """Yield the transcript, in the order of time, if there is anything in it."""
        self.seen = [each for _, each in sorted(self._events, key=itemgetter(0))]
        self.commits = [each for _, each in sorted(self._made, key=itemgetter(0))]
        if self.turns or self.summary or self.seen or self.commits or self.ran:
            yield self.transcript() or Unread("no line of the session has a time")

    def _is_there(self, values: Mapping[str, Any]) -> bool:
        name = values.get("uuid")
        if not isinstance(name, str) or values.get("type") not in ("user", "assistant"):
            return False
        is_there = name in self._names
        self._names.add(name)
        return is_there

    def _take_result(self, result: Result, at: datetime, about: dict[str, Any]) -> None:
        """Take a result; a failed command may still have committed."""
        call = self._calls.pop(result.id, None)
        if call and call.tool == SHELL:
            command, output = text_if_any(call.arguments, "command"), result.output
            self._made.extend((at, each) for each in printed(command, output))
            self.add_run(Ran(command, output, call.folder, call.at or at, at))
        elif call and not result.is_error:
            payload = {
                "hook_event_name": "PostToolUse",
                "session_id": self.id,
                "tool_name": call.tool,
                "tool_input": call.arguments,
                "tool_response": result.response,
            }
            with suppress(KeyError, TypeError, ValueError):
                if found := seen({**payload, **about}):
                    self._events.append((at, found))
