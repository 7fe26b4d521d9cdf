"""`ocm-hook ASSISTANT`: what an assistant's hook runs, with one event on stdin.

It notes in the journal that a conversation began or ended, so that a checkpoint finds
its session when the assistant does not know it. A hook must never break or slow its
host: standard library alone, no output, and exit status 0 whatever happens.
"""

import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from gitmem.assistants.known import tool_named
from gitmem.config import project_folder
from gitmem.model import event as events
from gitmem.model.event import Event, EventName
from gitmem.model.identity import clean_client_id
from gitmem.model.redaction import redact, seal
from gitmem.store.journal import Journal, journal_name
from gitmem.store.log import append_to_log

_PAYLOAD_LIMIT = 10_000_000
_EVENTS: dict[str, EventName] = {
    "SessionStart": "start",
    "UserPromptSubmit": "start",
    "SessionEnd": "end",
    "sessionStart": "start",
    "beforeSubmitPrompt": "start",
    "sessionEnd": "end",
}


def main() -> None:
    try:
        payload = json.loads(sys.stdin.buffer.read(_PAYLOAD_LIMIT))
        observe(sys.argv[1], payload, os.environ, datetime.now().astimezone())  # noqa: TID251 - the clock
    except Exception as error:  # noqa: BLE001 - a hook never fails its host
        _log(error)


def observe(
    assistant: str, payload: Any, variables: Mapping[str, str], now: datetime
) -> None:
    """Note the event in the journal of its repository, if it says anything new."""
    name = _EVENTS.get(payload["hook_event_name"])
    client_id = payload.get("session_id") or payload.get("conversation_id")
    start = Path(payload.get("cwd") or payload["workspace_roots"][0])
    found = find_repository(project_folder(variables) or start)
    if not name or not client_id or not found:
        return
    client_id = clean_client_id(client_id)
    root, common_dir = found
    journal = Journal(common_dir / "ocm" / "journal")
    if _is_known(journal.lines(journal_name(client_id)), name):
        return
    event = Event(
        event=name,
        at=now.replace(microsecond=0),
        tool=tool_named(assistant),
        client_session_id=client_id,
        root=str(root),
    )
    journal.append(journal_name(client_id), seal(event, events.to_json))


def find_repository(start: Path) -> tuple[Path, Path] | None:
    """Work tree and common dir around `start`, as gitrepository-layout(5) has them."""
    for folder in (start, *start.parents):
        dot_git = folder / ".git"
        if dot_git.is_dir():
            return (folder.resolve(), dot_git.resolve()) if _is_ours(dot_git) else None
        if dot_git.is_file():
            git_dir = folder / dot_git.read_text().removeprefix("gitdir:").strip()
            common = git_dir / "commondir"
            named = common.read_text().strip() if common.exists() else "."
            common_dir = (git_dir / named).resolve()
            return (folder.resolve(), common_dir) if _is_ours(common_dir) else None
    return None


def _is_ours(common_dir: Path) -> bool:
    """Whether it is a repository, and that of this user, as git's rule of ownership."""
    is_one = (common_dir / "HEAD").is_file() and (common_dir / "objects").is_dir()
    return is_one and common_dir.stat().st_uid == os.getuid()


def _is_known(lines: list[str], name: EventName) -> bool:
    """A conversation begins once until it ends; one that never began cannot end."""
    return (events.open_conversation(lines) is not None) == (name == "start")


def _log(error: Exception) -> None:
    """One line in the log of the repository, where there is one to write to."""
    try:
        found = find_repository(Path.cwd())  # the host may have deleted it
        if found:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z")
            line = redact(f"{stamp} ocm-hook: {type(error).__name__}\n")
            append_to_log(found[1], line)
    except OSError:
        return
