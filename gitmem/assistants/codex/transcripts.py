"""Codex: its rollouts, a file with JSON lines for each conversation.

Written after records of version 0.169.0 and the source of the earlier ones. Since
September 2025 each line has a time, a type and a payload; before, a line is the payload
itself, and the first one has no type.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gitmem.assistants.codex.transcript_session import CodexSession
from gitmem.assistants.payload import inner, text
from gitmem.assistants.transcripts.lines import Line, json_lines
from gitmem.assistants.transcripts.transcript import Transcript, Unread
from gitmem.frozen import frozen

_BEGINNING = "session_meta"
_DAMAGE = (KeyError, TypeError, ValueError)


@frozen
class CodexKeeper:
    tool: str = "codex"
    pattern: str = "rollout-*.jsonl"

    def places(
        self, user_home: Path, variables: Mapping[str, str], _roots: Iterable[Path]
    ) -> Iterator[Path]:
        """All rollouts of the user: they are sorted by days, not by projects."""
        home = Path(variables.get("CODEX_HOME") or user_home / ".codex")
        yield home / "sessions"
        yield home / "archived_sessions"

    def read(self, file: Path) -> Iterator[Transcript | Unread]:
        """Nothing for the conversation of a sub-agent: no person takes part in it."""
        lines = json_lines(file)
        first = next(lines, None)
        if first is None:
            return
        session = _begun(first)
        if session is None:
            yield Unread("no beginning of a conversation", 1)
        elif not session.is_of_agent:
            yield from _taken(lines, session)
            yield from session.come_to()


CODEX = CodexKeeper()


def _begun(line: Line | Unread) -> CodexSession | None:
    """The conversation that the first line tells of; None where it tells of none."""
    if isinstance(line, Unread):
        return None
    try:
        kind, meta, at = _parts(line)
        return CodexSession.of(meta, at) if kind == _BEGINNING else None
    except _DAMAGE:
        return None


def _taken(lines: Iterable[Line | Unread], session: CodexSession) -> Iterator[Unread]:
    """Adds the lines to the conversation, and gives those that cannot be added."""
    for line in lines:
        if isinstance(line, Unread):
            yield line
            continue
        try:
            session.take(*_parts(line))
        except _DAMAGE:
            yield Unread("not as Codex writes it", line.number)


def _parts(line: Line) -> tuple[str, dict[str, Any], str]:
    """The type of a line, its payload and its time; "" for a time that is not told."""
    values = line.values
    if "payload" in values:
        at = text(values, "timestamp", "")
        return text(values, "type"), inner(values, "payload"), at
    if "type" in values:
        return "response_item", values, ""
    return "" if "record_type" in values else _BEGINNING, values, ""
