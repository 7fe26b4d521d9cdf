"""The transcripts of Claude Code: a file of JSON lines for every session.

They lie at `~/.claude/projects/<folder>/<session id>.jsonl`; the folder is that of the
session's beginning, with a hyphen for all but letters and digits. Subagents have files
of their own, `agent-<id>.jsonl`, in `<session id>/subagents`. Undocumented: written
after records of versions 2.0.76 to 2.1.197.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.claude_code.copies import (
    PATTERN,
    Original,
    is_plain,
    original_beside,
    parent_in,
)
from gitmem.assistants.claude_code.session_builder import SessionBuilder
from gitmem.assistants.payload import text_if_any
from gitmem.assistants.transcripts import Part, Transcript, TranscriptReader, Unread
from gitmem.assistants.transcripts.transcript_files import (
    Line,
    json_lines,
    lines_beyond,
)
from gitmem.text.patterns import pattern

_TOOL = "claude-code"
_SESSION_ID = pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_OF_SUBAGENT, _LONGEST_TYPE = "agent-", 50
_NOT_IN_NAMES = pattern(r"[^A-Za-z0-9]")
_LONGEST_NAME = 200
"""Characters of a folder's name, which ends in a checksum if cut."""
READ_LIMIT = 8_000_000
"""Bytes to read at once."""
_MOST_LATE = 50
"""Lines to wait for the result of a call."""
_TYPES = frozenset(
    (
        *("user", "assistant", "attachment", "system", "progress", "queue-operation"),
        *("summary", "custom-title", "ai-title", "tag", "last-prompt", "relocated"),
        *("agent-name", "agent-color", "agent-setting", "mode", "permission-mode"),
        *("file-history-snapshot", "file-history-delta", "attribution-snapshot"),
        *("api-request", "api-request-shape", "api-request-blob", "tools-used"),
        *("api-request-resumed", "atis-latch", "cost-state", "continued-in", "pr-link"),
        *("ended-by-model", "frame-link", "artifact-comment-monitor", "session-owner"),
        *("artifact-autoreact-ledger", "bridge-session", "history-suppression"),
        *("isolation-latch", "dev-mods", "memory-mode", "worktree-state", "host-row"),
        *("data-flow-records", "data-flow-incomplete", "derived-from", "observer-ref"),
        *("content-replacement", "fork-context-ref", "resume-head-vouch"),
    )
)
"""Types of records up to version 2.1.332; but for five they say nothing to us."""
_SAID = frozenset(("user", "assistant"))


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
    """Read the session that names the file, or all if none does."""
    if file.name.startswith(_OF_SUBAGENT):
        yield Unread("it is read with the session of the subagent")
        return
    sessions: dict[str, _Recorded] = {}
    yield from _gather(file, sessions, since)
    for session_id, session in sessions.items():
        for record in _of_subagents(file, session_id):
            if isinstance(record, Unread):
                yield record
            else:
                session.take(record, of_subagent=True)
        yield from session.come_to()


def _read_on(file: Path, session_id: str, offset: int, since: datetime | None) -> Part:
    """Read what a session's file has beyond `offset`, and its subagents.

    Leaves out what was copied, and stops before a call without a result. Raises
    OSError.
    """
    session = SessionBuilder(_TOOL, session_id, since=since)
    lines, end = lines_beyond(file, offset, READ_LIMIT)
    original = Original() if offset else original_beside(file)
    copied = [n for n, x in enumerate(lines, 1) if original.of(x.values, session_id)]
    own = lines[copied[-1] if copied else 0 :]
    for line in own:
        session.take(line.values)
    late = own[-_MOST_LATE:]
    waiting = [line.at for line in late if session.awaits(line.values)]
    if end != offset:
        for record in _of_subagents(file, session_id):
            if not isinstance(record, Unread):
                session.take(record, of_subagent=True)
    found = (each for each in session.come_to() if isinstance(each, Transcript))
    return Part(next(found, None), min([*waiting, end]))


CLAUDE_CODE = TranscriptReader(
    _TOOL,
    PATTERN,
    _places,
    _read,
    read_fork=_read,
    read_on=_read_on,
    parent_in=parent_in,
)


def folder_name(root: Path) -> str:
    """Return how the folder of a root begins; it counts UTF-16 code units."""
    units = _NOT_IN_NAMES.sub(lambda each: "-" * (1 + (each[0] > "\uffff")), str(root))
    return units[:_LONGEST_NAME]


def _gather(
    file: Path, sessions: dict[str, "_Recorded"], since: datetime | None
) -> Iterator[Unread]:
    named = _session_named(file)
    original = original_beside(file) if named else Original()
    types, first = Counter[str](), dict[str, int]()
    for line in json_lines(file):
        if isinstance(line, Unread):
            yield line
            continue
        kind = text_if_any(line.values, "type")[:_LONGEST_TYPE]
        types[kind] += 1
        first.setdefault(kind, line.at)
        if written_in := text_if_any(line.values, "sessionId"):
            session_id = named or written_in
            if session_id not in sessions:
                whole = SessionBuilder(_TOOL, session_id, since=since)
                sessions[session_id] = _Recorded(whole, original)
            sessions[session_id].take(line.values)
    if types and not sessions and types.keys().isdisjoint(_TYPES - _SAID):
        yield Unread("no transcript of Claude Code")
        return
    for kind in (each for each in types if each not in _TYPES):
        yield Unread(f"unknown record type {kind!r}", first[kind], types[kind])


def _session_named(file: Path) -> str:
    """Return the id in a file's name if it has lines of that session, else ""."""
    named = _SESSION_ID.search(file.stem)
    ids = (
        text_if_any(line.values, "sessionId")
        for line in (json_lines(file) if named else ())
        if isinstance(line, Line)
    )
    return named[0] if named and named[0] in ids else ""


def _of_subagents(file: Path, session_id: str) -> Iterator[Mapping[str, Any] | Unread]:
    folder = file.with_suffix("") / "subagents"
    for other in sorted(filter(is_plain, folder.rglob("agent-*.jsonl"))):
        try:
            for line in json_lines(other):
                if isinstance(line, Unread):
                    yield Unread(f"{line.reason} in {other.name}", line.line)
                elif line.values.get("sessionId") == session_id:
                    yield line.values
        except OSError:
            yield Unread(f"{other.name} cannot be opened")


@dataclass(slots=True)
class _Recorded:
    """A session as its file has it, and apart what it has beyond a copy."""

    whole: SessionBuilder
    original: Original
    own: SessionBuilder | None = None

    def take(self, values: Mapping[str, Any], *, of_subagent: bool = False) -> None:
        self.whole.take(values, of_subagent=of_subagent)
        if parent := self.original.of(values, self.whole.id):
            self.whole.parent = parent
            self.own = self.whole.begun_anew()
        elif self.own:
            self.own.take(values, of_subagent=of_subagent)

    def come_to(self) -> Iterator[Transcript | Unread]:
        for whole in self.whole.come_to():
            if self.own and isinstance(whole, Transcript):
                own = (x for x in self.own.come_to() if isinstance(x, Transcript))
                none = replace(whole, turns=(), seen=(), commits=(), ran=(), summary="")
                yield replace(whole, own_part=next(own, none))
            else:
                yield whole
