"""Codex: how it is recognised and started, and the ids it sends along."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gitmem.assistants.assistant import SERVER, Assistant, CommandLine

if TYPE_CHECKING:
    from gitmem.assistants.transcripts import TranscriptReader


def _reader() -> "TranscriptReader":
    from gitmem.assistants.codex.conversations import CODEX

    return CODEX


def _ids_in_meta(meta: Mapping[str, Any]) -> Iterator[object]:
    yield meta.get("sessionId")
    turn = meta.get("x-codex-turn-metadata")
    yield turn.get("session_id") if isinstance(turn, Mapping) else None


CODEX = Assistant(
    "codex",
    r"codex",
    ("codex cli", "openai codex", "codex"),
    title="Codex",
    session_variables=("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
    names_itself_in_shell=True,
    ids_in_meta=_ids_in_meta,
    reader=_reader,
    command_line=CommandLine(("codex", "resume", "{id}"), ("codex",)),
    commands=("codex",),
    by_hand=f"codex mcp add {SERVER} -- {{ocm}} serve",
)
