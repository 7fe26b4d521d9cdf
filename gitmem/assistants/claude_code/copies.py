"""What a transcript of Claude Code copied from that of another conversation.

A fork, a conversation that was sent to the background, and in older versions one that
was resumed, begin with the records of another conversation. These keep uuid and time.
Some name that conversation; others are known by its file, which lies beside.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.assistants.payload import text_if_any
from gitmem.assistants.targets import members
from gitmem.assistants.transcripts.transcript_files import JsonLine, json_lines

PATTERN = "*-????-????-????-????????????.jsonl"
"""Names that are session ids: subagents are read with their sessions."""
MESSAGES = ("user", "assistant")
_ID_LENGTH = 36
_HEAD = 200
"""Lines of a file in which its first message stands."""
_REMEMBERED = 16


class Original(NamedTuple):
    """The conversation in a file beside that the records of another come from."""

    session_id: str = ""
    uuids: frozenset[str] = frozenset()

    def origin_of(self, values: Mapping[str, Any], session_id: str) -> str:
        """Return whose copy a record of the session is, "" for a record of its own."""
        for name in _named_sessions(values):
            if name not in ("", session_id):
                return name
        return self.session_id if text_if_any(values, "uuid") in self.uuids else ""


def original_beside(file: Path) -> Original:
    """Return what a file begins with a copy of. Raises OSError."""
    root, original = _first_message(file), Original()
    siblings = _by_first_message(file.parent, file.parent.stat().st_mtime_ns)
    for sibling in siblings.get(root, ()):
        messages = _messages(file, file.stat().st_size)
        originals = _messages(sibling, sibling.stat().st_size)
        if messages.session_id == originals.session_id:
            continue
        shared = takewhile(originals.sent.items().__contains__, messages.sent.items())
        uuids = frozenset(uuid for uuid, _ in shared)
        if len(uuids) > len(original.uuids) and originals.order() < messages.order():
            original = Original(originals.session_id, uuids)
    return original


def parent_in(file: Path, session_id: str) -> str:
    """Return the conversation that a file copied last, "" for none. Raises OSError."""
    original, parent = original_beside(file), ""
    for line in json_lines(file):
        if isinstance(line, JsonLine):
            parent = original.origin_of(line.values, session_id) or parent
            if not parent and line.values.get("type") == "assistant":
                break
    return parent


class _Messages(NamedTuple):
    session_id: str
    sent: Mapping[str, tuple[str, int]]
    """Time and hash of each message, by uuid."""
    are_marked: bool
    """True if a message names another conversation, or is of the background."""

    def order(self) -> tuple[bool, str, str]:
        """Return what sorts an original before its copies: mostly it ends first."""
        ended_at = max((at for at, _ in self.sent.values()), default="")
        return self.are_marked, ended_at, self.session_id


# The time of the folder is part of the key: a new file makes a new entry.
@lru_cache(_REMEMBERED)
def _by_first_message(folder: Path, changed_at: int) -> Mapping[str, list[Path]]:  # noqa: ARG001 # part of the key
    files: dict[str, list[Path]] = {}
    for file in sorted(folder.glob(PATTERN)):
        with suppress(OSError):
            if is_plain(file) and (uuid := _first_message(file)):
                files.setdefault(uuid, []).append(file)
    return files


def _first_message(file: Path) -> str:
    for line in islice(json_lines(file), _HEAD):
        if isinstance(line, JsonLine) and line.values.get("type") in MESSAGES:
            return text_if_any(line.values, "uuid")
    return ""


@lru_cache(_REMEMBERED)
def _messages(file: Path, size: int) -> _Messages:  # noqa: ARG001 # part of the key
    session_id, are_marked = file.stem[-_ID_LENGTH:], False
    sent: dict[str, tuple[str, int]] = {}
    for line in json_lines(file):
        if isinstance(line, JsonLine) and line.values.get("type") in MESSAGES:
            values = line.values
            message = hash(repr(values.get("message")))
            at = text_if_any(values, "timestamp")
            sent[text_if_any(values, "uuid")] = at, message
            is_of_another = not {"", session_id}.issuperset(_named_sessions(values))
            are_marked |= "sessionKind" in values or is_of_another
    sent.pop("", None)
    return _Messages(session_id, sent, are_marked)


def _named_sessions(values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sessions that a record names, the nearest origin first."""
    origin = text_if_any(members(values, "forkedFrom"), "sessionId")
    keys = ("sessionId", "requestSessionId")
    return origin, *(text_if_any(values, key) for key in keys)


def is_plain(file: Path) -> bool:
    """Exclude links, which may lead anywhere, and devices."""
    return file.is_file() and not file.is_symlink()
