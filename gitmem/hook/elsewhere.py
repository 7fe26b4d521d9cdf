"""Starts what saves a conversation in other repositories than that of its folder.

Each has a process of its own, as the rules for secrets are the repository's.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gitmem import processes
from gitmem.config import current_time
from gitmem.documents.event import Event, Interrupted, TranscriptRead, Trigger
from gitmem.documents.event_log import last_sign, other_repositories

if TYPE_CHECKING:
    from gitmem.workspace import Workspace


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
