"""What is true of everything that a reader gives, whatever the file holds."""

from pathlib import Path

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.transcripts import (
    PrintedCommit,
    Transcript,
    TranscriptReader,
    Unread,
)
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.names import is_tool


def read_sound(reader: TranscriptReader, file: Path) -> list[Transcript | Unread]:
    """What the reader gives, once each piece of it is found to be one."""
    found = list(reader.read(file))
    for each in found:
        assert is_sound(each)
    return found


def is_sound(found: Transcript | Unread) -> bool:
    if isinstance(found, Unread):
        return bool(found.reason)
    return (
        is_tool(found.tool)
        and bool(found.client_session_id)
        and _are_texts(found.client_session_id, found.folder, found.branch or "")
        and found.began_at <= found.ended_at
        and found.began_at.astimezone() <= found.ended_at.astimezone()
        and all(map(_is_turn, found.turns))
        and all(map(_is_seen, found.events))
        and all(map(_is_made, found.commits))
        and any((found.turns, found.events, found.commits, found.runs, found.summary))
    )


def _are_texts(*values: object) -> bool:
    return all(isinstance(each, str) for each in values)


def _is_turn(turn: Turn) -> bool:
    return turn.text == turn.text.strip() != "" and (
        turn.at is None or turn.at.utcoffset() is not None
    )


def _is_made(made: PrintedCommit) -> bool:
    return bool(made.sha) and isinstance(made.subject, str)


def _is_seen(seen: HookEvent) -> bool:
    if seen.kind is EventKind.EDIT:
        return _are_texts(seen.path, seen.folder)
    return seen.kind is EventKind.TODOS and all(todo.text for todo in seen.todos)
