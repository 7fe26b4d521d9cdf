"""Slow work of hooks, in detached processes."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from gitmem import processes
from gitmem.config import current_time
from gitmem.documents.event import Event, Interrupted, TranscriptRead, Trigger
from gitmem.documents.event_log import last_sign, other_repositories
from gitmem.errors import GitmemError, InvalidInput
from gitmem.hook.observe import HookConversation
from gitmem.hook.place import LONGEST_PATH, Checkout, find_place

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

_SAID_LENGTH = 15_000
"""Characters of an answer's end: as many as fit into a pipe."""


class HeldConversation(NamedTuple):
    """A conversation with the folder in which it is held."""

    folder: str
    client_id: str
    tool: str
    transcript: str

    @property
    def about(self) -> Event:
        """What all its events have in common."""
        return Event(
            at=current_time(),
            tool=self.tool,
            client_session_id=self.client_id,
            root=self.folder,
        )


def start(
    root: Path, client_id: str, trigger: Trigger, tool: str, transcript: str
) -> None:
    """Save the conversation and what was said, in another process."""
    arguments = (str(root), client_id, trigger.value, tool, as_argument(transcript))
    processes.start(root, "later", *arguments)


def start_reading(conversation: HookConversation, last_answer: str) -> None:
    """Read the transcript on after a turn with this last answer; save many edits."""
    root, client_id = conversation.place.root, conversation.client_session_id
    arguments = ("read", str(root), client_id)
    processes.start_late(root, *arguments, stdin=last_answer[-_SAID_LENGTH:])


def start_pull(place: Checkout) -> None:
    """Pull in another process, if wanted and due; and import, if wanted."""
    from gitmem.actions.sharing.auto_push import pull_is_due
    from gitmem.config import AUTO_IMPORT_SETTING
    from gitmem.git.config import is_on

    workspace = workspace_at(place.root)
    if pull_is_due(workspace):
        processes.start(place.root, "pull", str(place.root))
    if is_on(workspace.repository, AUTO_IMPORT_SETTING):
        processes.start(place.root, "import", str(place.root))


def run(arguments: list[str], stdin: BinaryIO) -> None:
    """Do what the process was started for. Raises InvalidInput."""
    match arguments:
        case ["later", root, client_id, trigger, tool, transcript]:
            _save(root, client_id, Trigger(trigger), tool, transcript)
        case ["read", root, client_id]:
            _read_on(root, client_id, stdin.read().decode("utf-8", "replace"))
        case ["maintenance", common_dir]:
            from gitmem.actions.maintenance import run_maintenance

            run_maintenance(_opened_at(common_dir))
        case ["index", common_dir]:
            from gitmem.indexing import build_index

            os.nice(10)  # the user's own work goes first
            build_index(_opened_at(common_dir))
        case ["notes" | "meanings" as work, common_dir]:
            os.nice(10)
            renew = renew_notes if work == "notes" else _build_meanings
            renew(_opened_at(common_dir))
        case ["pull" | "import" as work, root]:
            if place := find_place(Path(root)):
                _bring(work, workspace_at(place.root))
        case _:
            raise InvalidInput("ocm-hook takes the name of one assistant.")


def save_elsewhere(arguments: list[str]) -> None:
    """Save what a conversation did in a repository, or find those that it touched.

    It is held in another one, or outside of any. Raises InvalidInput.
    """
    os.nice(10)
    match arguments:
        case ["outside", trigger, *values]:
            _save_touched(HeldConversation(*values), trigger)
        case ["here", root, trigger, *values]:
            _save_here(Path(root), HeldConversation(*values), trigger)
        case _:
            raise InvalidInput("ocm-hook takes the name of one assistant.")


def _save_touched(conversation: HeldConversation, trigger: str) -> None:
    from gitmem.actions.saving.live_transcript import repositories_touched
    from gitmem.config import current_environment

    environment = current_environment()
    roots = repositories_touched(
        environment, conversation.about, conversation.transcript
    )
    start_in(roots, conversation, trigger)


def _save_here(root: Path, conversation: HeldConversation, trigger: str) -> None:
    from gitmem.actions.importing.live import save_held_elsewhere, takes_part
    from gitmem.actions.maintenance import run_maintenance

    place = find_place(root)
    workspace = workspace_at(place.root) if place else None
    if workspace and takes_part(workspace):
        saved_at = Trigger(trigger) if trigger else None
        save_held_elsewhere(
            workspace, conversation.about, conversation.transcript, saved_at
        )
        renew_notes(workspace)
        run_maintenance(workspace)


def _bring(work: str, workspace: "Workspace") -> None:
    if work == "pull":
        from gitmem.actions.sharing.auto_push import pull_along

        pull_along(workspace)
    else:
        from gitmem.actions.importing.histories import import_histories

        os.nice(10)
        import_histories(workspace)
    renew_notes(workspace)


def renew_notes(workspace: "Workspace") -> None:
    """Renew what is told of files, so that no hook waits for that."""
    from gitmem.actions.remembering.at_hand import note_files

    with suppress(GitmemError, OSError):  # the next event of a file tries again
        note_files(workspace)


def _build_meanings(workspace: "Workspace") -> None:
    from gitmem.actions.remembering.meanings import build_meanings

    with suppress(GitmemError, OSError):  # the next recall tries again
        build_meanings(workspace)


def workspace_at(start: Path, git_dir: Path | None = None) -> "Workspace":
    """Open the workspace; variables may be another assistant's and do not count."""
    from gitmem.config import current_environment
    from gitmem.workspace import open_workspace

    environment = replace(current_environment(), start=start, git_dir=git_dir)
    return open_workspace(environment)


def _save(
    root: str, client_id: str, trigger: Trigger, tool: str, transcript: str
) -> None:
    from gitmem.actions.importing.live import save_conversation
    from gitmem.actions.maintenance import run_maintenance

    if place := find_place(Path(root)):
        workspace = workspace_at(place.root)
        save_conversation(workspace, tool, client_id, transcript, trigger)
        save_in_others(workspace, client_id, trigger)
        renew_notes(workspace)
        run_maintenance(workspace)


def _read_on(root: str, client_id: str, last_answer: str) -> None:
    from gitmem.actions.saving.checkpoint import save_after_edits
    from gitmem.actions.saving.hook_events import read_on

    os.nice(10)
    if place := find_place(Path(root)):
        workspace = workspace_at(place.root)
        known_events = len(workspace.store.journal.events(client_id))
        read_on(workspace, client_id, last_answer=last_answer)
        save_in_others(workspace, client_id, "", known_events)
        save_after_edits(workspace, client_id)
        renew_notes(workspace)


def _opened_at(common_dir: str) -> "Workspace":
    folder = Path(common_dir)
    return workspace_at(folder, folder)


def as_argument(path: str) -> str:
    """Return the path, "" if no process could be given it."""
    try:
        is_one = "\0" not in path and len(os.fsencode(path)) <= LONGEST_PATH
    except UnicodeEncodeError:
        return ""
    return path if is_one else ""


if TYPE_CHECKING:
    from gitmem.workspace import Workspace


def save_in_others(
    workspace: "Workspace", client_id: str, trigger: str, known_events: int = 0
) -> None:
    """Save in the other repositories that events beyond `known_events` touched.

    `trigger` is "" where a turn ends.
    """
    events = workspace.store.journal.events(client_id)
    reads = [event for event in events if isinstance(event, TranscriptRead)]
    paths = [read.transcript for read in reads if read.transcript]
    if paths:
        newest = events[-1]
        is_cut_off = isinstance(last_sign(reversed(events)), Interrupted)
        conversation = HeldConversation(newest.root, client_id, newest.tool, paths[-1])
        roots = other_repositories(events[known_events:])
        start_in(roots, conversation, Trigger.OBSERVED if is_cut_off else trigger)


def start_in(
    roots: Iterable[str], conversation: HeldConversation, trigger: str
) -> None:
    """Save what a conversation did in repositories, a process for each."""
    for root in roots:
        with suppress(OSError):  # the work tree is gone meanwhile
            processes.start(
                Path(root), "elsewhere", "here", root, trigger, *conversation
            )
