"""The trailer of a commit that an assistant makes, where the user wants one."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.actions.saving.commits import maker_in_shell
from gitmem.actions.saving.conversation import Conversation
from gitmem.actions.saving.live_transcript import transcript_of
from gitmem.config import TRAILER_SETTING
from gitmem.documents.session.identity import conversation_subject, subject_digest
from gitmem.workspace import Workspace

SESSION_TRAILER, ASSISTANT_TRAILER = "Ocm-Session", "Assisted-by"

_TAIL = 500_000
"""Bytes at the end of a transcript in which its model is looked for."""
_MODEL = re.compile(r"[\w./:@-]{1,80}")
_HOLDERS = ("message", "payload", "data")
"""Members of a transcript's record that may name the model, beside the record."""


def commit_trailer(workspace: Workspace) -> str:
    """Return the trailer for a commit that is being made; "" for none.

    It is for the conversation in whose shell git runs, and of no other.
    """
    maker = maker_in_shell(workspace)
    form = workspace.repository.config(TRAILER_SETTING)
    if maker and form == "session":
        subject = conversation_subject(maker.tool, maker.client_session_id)
        return f"{SESSION_TRAILER}: {subject_digest(subject)}"
    if maker and form == "assisted-by":
        model = _newest_model(workspace, maker)
        return f"{ASSISTANT_TRAILER}: {':'.join(filter(None, (maker.tool, model)))}"
    return ""


def _newest_model(workspace: Workspace, maker: Conversation) -> str:
    """Return the model that a transcript names last; "" where none is known."""
    events = [*workspace.store.journal.newest_events(maker.client_session_id)][::-1]
    transcript = transcript_of(workspace.environment, events) if events else None
    return next(_models(transcript), "") if transcript else ""


def _models(transcript: Path) -> Iterator[str]:
    """Yield the models that the records at the end name, the newest first."""
    with suppress(OSError), transcript.open("rb") as file:
        file.seek(max(0, transcript.stat().st_size - _TAIL))
        for line in reversed(file.read(_TAIL).splitlines()):
            with suppress(ValueError, RecursionError):
                yield from _models_in(json.loads(line))


def _models_in(record: object) -> Iterator[str]:
    if not isinstance(record, dict):
        return
    for holder in (record, *map(record.get, _HOLDERS)):
        model = holder.get("model") if isinstance(holder, dict) else None
        if isinstance(model, str) and _MODEL.fullmatch(model):
            yield model
