"""Whose uncommitted files are, where nobody saw the conversation at work.

A person saves by hand, or an assistant without hooks: git alone says what differs, and
an earlier conversation may have left that behind. To name such a file is not to have
changed it.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice

from gitmem.actions.saving.hook_events import RECENT, edited_in
from gitmem.documents.event import events_in
from gitmem.documents.session.record import checkpoints_in
from gitmem.git.files import changed_at
from gitmem.git.values import Change, FileChange
from gitmem.store.journal.journal import journal_name
from gitmem.workspace import Workspace


def left_by_others(
    workspace: Workspace, client_session_id: str, differing: Iterable[FileChange]
) -> set[str]:
    """Return paths of files that are as another conversation left them."""
    left_at = dict(sorted(_changes_of_others(workspace, client_session_id)))
    return {
        file.path
        for file in differing
        if (at := left_at.get((file.path, file.change is Change.DELETED)))
        and changed_at(workspace.root / file.path) < at.timestamp() + 1
    }


def _changes_of_others(
    workspace: Workspace, client_session_id: str
) -> Iterator[tuple[tuple[str, bool], datetime]]:
    """Yield each path with whether it was deleted, and when that was noted."""
    journal, own = workspace.store.journal, journal_name(client_session_id)
    for name in islice(journal.newest_first(), RECENT):
        lines = journal.lines(name) if name != own else []
        for made in checkpoints_in(lines):
            for file in made.files:
                yield (file.path, file.change is Change.DELETED), made.at
        for event in events_in(lines):
            for path in edited_in([event]):
                yield (path, False), event.at
