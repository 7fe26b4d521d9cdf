"""The transcripts of Claude Code: a file of JSON lines for every session.

They lie at `~/.claude/projects/<folder>/<session id>.jsonl`; the folder is that of the
session's beginning, with a hyphen for all but letters and digits. Subagents have files
of their own, `agent-<id>.jsonl`, in `<session id>/subagents`, before version 2.1.2
beside the session's. Undocumented: written after records of versions 2.0.76 to 2.1.197.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from gitmem.assistants.claude_code.transcript_session import Gathered
from gitmem.assistants.transcripts import Part, Transcript, TranscriptReader, Unread
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


def _places(
    user_home: Path, variables: Mapping[str, str], roots: Iterable[Path]
) -> Iterator[Path]:
    """Yield the folders named after the work trees, or with longer names."""
    names = tuple(folder_name(root) for root in roots)
    for settings in _settings_folders(user_home, variables):
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
    sessions: dict[str, Gathered] = {}
    yield from _gather(file, sessions, since)
    for session in sessions.values():
        yield from _with_subagents(session, file)
        yield from session.come_to()


def _read_on(file: Path, session_id: str, offset: int, since: datetime | None) -> Part:
    """Read what a session's file has beyond `offset`, and its subagents.

    Stops before a call without a result. Raises OSError.
    """
    session = Gathered(_TOOL, session_id, since=since)
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


def _settings_folders(
    user_home: Path, variables: Mapping[str, str]
) -> tuple[Path, ...]:
    if configured := variables.get("CLAUDE_CONFIG_DIR"):
        return (Path(configured),)
    return user_home / ".claude", user_home / ".config" / "claude"


def _gather(
    file: Path, sessions: dict[str, Gathered], since: datetime | None
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
                sessions[session_id] = Gathered(_TOOL, session_id, since=since)
            sessions[session_id].take(line.values)
    if not (is_empty or is_known or has_others or sessions):
        yield Unread("no transcript of Claude Code")
    elif has_others and not sessions:
        yield Unread("only lines of other sessions")


def _with_subagents(session: Gathered, file: Path) -> Iterator[Unread]:
    for other in _files_of_subagents(session, file):
        try:
            for line in json_lines(other):
                if isinstance(line, Unread):
                    yield Unread(f"{line.reason} in {other.name}", line.line)
                elif line.values.get("sessionId") == session.id:
                    session.take(line.values, of_subagent=True)
        except OSError:
            yield Unread(f"{other.name} cannot be opened")


def _files_of_subagents(session: Gathered, file: Path) -> list[Path]:
    beside = (file.with_name(f"agent-{name}.jsonl") for name in session.subagents)
    below = (file.with_suffix("") / "subagents").rglob("agent-*.jsonl")
    return sorted(filter(_is_plain, (*beside, *below)))


def _is_plain(file: Path) -> bool:
    """Exclude links, which may lead anywhere, and devices."""
    return file.is_file() and not file.is_symlink()
