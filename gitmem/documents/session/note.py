"""The note on a commit of the user: which sessions made it, and what they are about."""

from collections.abc import Callable, Iterable
from itertools import islice

from gitmem.documents.session.session import Session
from gitmem.redaction.redact import Redacted, seal
from gitmem.text.patterns import pattern

_MOST_SESSIONS = 3
_GOAL_BYTES = 240
"""For the goals of all sessions of a note, so that a log stays a log."""
_TOOL_BYTES = 40
_SESSION_LINE = pattern(r"Ocm-Session: (.+)")
_OUR_LINE = pattern(r"Ocm-(Session|Tool|Goal): .*")


def note_of(sessions: Iterable[Session]) -> Redacted:
    """Id, assistant and goal of each, the newest first; of three at most."""
    newest = sorted(sessions, key=lambda s: (s.started_at, s.id), reverse=True)
    named = list(islice(newest, _MOST_SESSIONS))
    room = _GOAL_BYTES // max(len(named), 1)
    return seal(named, lambda clean: "".join(_lines(each, room) for each in clean))


def is_ours(note: str) -> bool:
    """Whether nobody else wrote this note, nor into it."""
    return all(map(_OUR_LINE.fullmatch, note.splitlines()))


def without_sessions(note: str, is_gone: Callable[[str], bool]) -> str:
    """The note without what it says of sessions that are gone, by their ids.

    What somebody else wrote into it stays.
    """
    kept, is_about_one = [], False
    for line in note.splitlines(keepends=True):
        if named := _SESSION_LINE.match(line):
            is_about_one = is_gone(named[1])
        if not (is_about_one and _OUR_LINE.fullmatch(line.rstrip("\n"))):
            kept.append(line)
    return "".join(kept)


def _lines(session: Session, room: int) -> str:
    facts = {
        "Session": session.id,
        "Tool": _one_line(session.tool, _TOOL_BYTES),
        "Goal": _one_line(session.goal, room),
    }
    return "".join(f"Ocm-{key}: {value}\n" for key, value in facts.items() if value)


def _one_line(text: str, room: int) -> str:
    """The text on one line, without what acts upon a terminal, cut to so many bytes."""
    plain = "".join(each if each.isprintable() else " " for each in text)
    line = " ".join(plain.split())
    if len(line.encode()) <= room:
        return line
    return line.encode()[: room - len("…".encode())].decode(errors="ignore") + "…"
