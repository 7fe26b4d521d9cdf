"""What takes longer than a client waits: done by a process that nobody waits for."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from gitmem.actions import detached
from gitmem.documents.event import Client
from gitmem.documents.session.session import Trigger
from gitmem.hook.observe import Conversation
from gitmem.hook.place import Place, find_place

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

_SAID_LENGTH = 15_000
"""Characters of an answer: its end is kept, and a pipe takes so much at once."""
_LONGEST = 4096
"""Bytes of a path; no system takes more."""


def start(conversation: Conversation, trigger: Trigger, transcript: str) -> None:
    """Have what is known of the conversation saved, and what was said in it.

    Of the transcript nothing but its path is looked at here.
    """
    root, client_id = conversation.place.root, conversation.client_session_id
    tool, path = conversation.tool, _as_argument(transcript)
    named = (str(root), client_id, trigger.value, tool, path)
    detached.start(root, "later", *named)


def complete(client: Client) -> None:
    """Have what was said kept of a conversation whose process is gone."""
    root, path = Path(client.root), _as_argument(client.transcript)
    named = (client.root, client.client_session_id, Trigger.OBSERVED.value)
    with suppress(OSError):  # the work tree may be gone as well
        detached.start(root, "later", *named, client.tool, path)


def start_reading(conversation: Conversation, said: str) -> None:
    """Have the transcript read on as a turn ends; `said` is the last answer."""
    root, client_id = conversation.place.root, conversation.client_session_id
    named = ("turn", str(root), client_id)
    detached.start_late(root, *named, told=said[-_SAID_LENGTH:])


def turn_ended(arguments: list[str], stdin: BinaryIO) -> None:
    """Note what `start_reading` was told of."""
    from gitmem.actions.saving.hook_events import read_on
    from gitmem.hook.open_workspace import opened

    os.nice(10)
    root, client_id = arguments
    said = stdin.read().decode("utf-8", "replace")
    if place := find_place(Path(root)):
        read_on(opened(place), client_id, said=said)


def run(arguments: list[str]) -> None:
    """Save what `start` was told of, and keep house."""
    from gitmem.actions.importing.ended_conversation import Named, save
    from gitmem.actions.maintenance import run_maintenance
    from gitmem.hook.open_workspace import opened

    root, client_id, trigger, tool, transcript = arguments
    place = find_place(Path(root))
    if place:
        workspace = opened(place)
        save(workspace, Named(tool, client_id, transcript), Trigger(trigger))
        run_maintenance(workspace)


def maintain_at(common_dir: str) -> None:
    """What a checkpoint found to be due."""
    from gitmem.actions.maintenance import run_maintenance

    run_maintenance(_opened_at(common_dir))


def build_index_at(common_dir: str) -> None:
    """What a search does not wait for; the user's own work goes first."""
    from gitmem.actions.reading.catch_up import build_index

    os.nice(10)
    build_index(_opened_at(common_dir))


def start_pull(place: Place) -> None:
    """Have memory pulled where that is wanted, and was not done just now.

    The brief shows what is there; what arrives is there for whoever reads next.
    """
    from gitmem.actions.sharing.auto_push import pull_is_due
    from gitmem.hook.open_workspace import opened

    if pull_is_due(opened(place)):
        detached.start(place.root, "pull", str(place.root))


def pull(root: str) -> None:
    """Pull what `start_pull` found to be due."""
    from gitmem.actions.sharing.auto_push import pull_along
    from gitmem.hook.open_workspace import opened

    if place := find_place(Path(root)):
        pull_along(opened(place))


def _opened_at(common_dir: str) -> "Workspace":
    """A bare repository has no work tree."""
    from gitmem.config import current_environment
    from gitmem.workspace import open_workspace

    here = Path(common_dir)
    return open_workspace(replace(current_environment(), start=here, git_dir=here))


def _as_argument(path: str) -> str:
    """The path, or "" where no process could be given it."""
    try:
        is_one = "\0" not in path and len(os.fsencode(path)) <= _LONGEST
    except UnicodeEncodeError:
        return ""
    return path if is_one else ""
