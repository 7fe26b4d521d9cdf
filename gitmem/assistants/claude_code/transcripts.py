"""The transcripts of Claude Code: a file of JSON lines for every session.

They lie at `~/.claude/projects/<folder>/<session id>.jsonl`; the folder is that of the
session's beginning, with a hyphen for all but letters and digits. Subagents have files
of their own, `agent-<id>.jsonl`, in `<session id>/subagents`. Undocumented: written
after records of versions 2.0.76 to 2.1.197.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.claude_code.copies import (
    MESSAGES,
    PATTERN,
    Original,
    is_plain,
    original_beside,
    parent_in,
)
from gitmem.assistants.claude_code.session_builder import SessionBuilder
from gitmem.assistants.payload import text_if_any
from gitmem.assistants.transcripts import (
    Transcript,
    TranscriptPart,
    TranscriptReader,
    Unread,
)
from gitmem.assistants.transcripts.transcript_builder import TranscriptBuilder
from gitmem.assistants.transcripts.transcript_files import (
    JsonLine,
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
_OTHER_TYPES = pattern(
    r"agent-(?:color|name|setting)|ai-title|api-request(?:-blob|-resumed|-shape)?"
    r"|artifact-(?:autoreact-ledger|comment-monitor)|atis-latch|attachment"
    r"|attribution-snapshot|bridge-session|content-replacement|continued-in|cost-state"
    r"|custom-title|data-flow-(?:incomplete|records)|derived-from|dev-mods"
    r"|ended-by-model|file-history-(?:delta|snapshot)|fork-context-ref|frame-link"
    r"|history-suppression|host-row|isolation-latch|last-prompt|memory-mode|mode"
    r"|observer-ref|permission-mode|pr-link|progress|queue-operation|relocated"
    r"|resume-head-vouch|session-owner|summary|system|tag|tools-used|worktree-state"
)
"""Types of records without a message, up to version 2.1.332."""


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
    sessions: dict[str, SessionBuilder] = {}
    file_session = _session_in_name(file)
    original = original_beside(file) if file_session else Original()
    skipped = TranscriptBuilder(_TOOL)
    for record in _records(file, skipped):
        name = file_session or text_if_any(record, "sessionId")
        if name not in sessions:
            builder = SessionBuilder(_TOOL, name, since=since, original=original)
            sessions[name] = builder
        sessions[name].take(record)
    yield from skipped.built()
    for session in sessions.values():
        _take_subagents(session, file)
        yield from session.come_to()


def _read_on(
    file: Path, session_id: str, offset: int, since: datetime | None
) -> TranscriptPart:
    """Read what a session's file has beyond `offset`, and its subagents.

    Leaves out what was copied, and stops before a call without a result. Raises
    OSError.
    """
    original = Original() if offset else original_beside(file)
    session = SessionBuilder(_TOOL, session_id, since=since, original=original)
    lines, end = lines_beyond(file, offset, READ_LIMIT)
    for line in lines:
        session.take(line.values)
    waiting = [x.at for x in lines[-_MOST_LATE:] if session.awaits(x.values)]
    if end != offset:
        _take_subagents(session, file)
    transcripts = (part for part in session.come_to() if isinstance(part, Transcript))
    transcript = next(transcripts, None)
    own_part = transcript and (transcript.own_part or transcript)
    return TranscriptPart(own_part, min([*waiting, end]))


CLAUDE_CODE = TranscriptReader(
    _TOOL,
    PATTERN,
    _places,
    _read,
    read_fork=_read,
    read_beyond=_read_on,
    parent_in=parent_in,
    days_kept=30,
    is_of=lambda file, root: file.parent.name == folder_name(root),
)


def folder_name(root: Path) -> str:
    """Return how the folder of a root begins; it counts UTF-16 code units."""
    name = _NOT_IN_NAMES.sub(lambda c: "-" * (1 + (c[0] > "\uffff")), str(root))
    return name[:_LONGEST_NAME]


def _records(file: Path, skipped: TranscriptBuilder) -> Iterator[Mapping[str, Any]]:
    """Yield the records of sessions; give `others` what is not read."""
    is_empty, is_ours, unknown = True, False, TranscriptBuilder(_TOOL)
    for line in json_lines(file):
        is_empty = False
        if isinstance(line, Unread):
            skipped.add_unread(line)
            continue
        kind = text_if_any(line.values, "type")
        is_other = _OTHER_TYPES.fullmatch(kind) is not None
        if not is_other and kind not in MESSAGES:
            unknown.pass_over(kind)
        if text_if_any(line.values, "sessionId"):
            yield line.values
            is_ours = True
        is_ours |= is_other
    if is_ours:
        skipped.unread |= unknown.unread
    elif not is_empty:
        skipped.add_unread(Unread("no transcript of Claude Code"))


def _session_in_name(file: Path) -> str:
    """Return the id in a file's name if it has lines of that session, else ""."""
    match = _SESSION_ID.search(file.stem)
    ids = (
        text_if_any(line.values, "sessionId")
        for line in (json_lines(file) if match else ())
        if isinstance(line, JsonLine)
    )
    return match[0] if match and match[0] in ids else ""


def _take_subagents(session: SessionBuilder, file: Path) -> None:
    folder = file.with_suffix("") / "subagents"
    for subagent_file in sorted(filter(is_plain, folder.rglob("agent-*.jsonl"))):
        try:
            for line in json_lines(subagent_file):
                if isinstance(line, Unread):
                    reason = f"{line.reason} in {subagent_file.name}"
                    session.add_unread(Unread(reason, line.line))
                elif line.values.get("sessionId") == session.id:
                    session.take(line.values, of_subagent=True)
        except OSError:
            session.add_unread(Unread(f"{subagent_file.name} cannot be opened"))
