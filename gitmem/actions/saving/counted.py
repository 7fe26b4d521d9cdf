"""Save what hooks saw of a conversation once many of its edits are in no commit.

For assistants that do not save by themselves. Every edit counts, also another one of
the same file; what they mean is for the assistant to say, whom a nudge asks.
"""

from contextlib import suppress

from gitmem.config import CHECKPOINT_SETTING
from gitmem.documents.event import Edit, Heard, Trigger, from_json
from gitmem.store.journal.beside import EDITS, start_countdown
from gitmem.store.journal.journal import journal_name
from gitmem.workspace import Workspace

CHECKPOINT_AFTER = 20
"""Edits, unless `ocm.checkpoint.edits` is set."""
_RARELY = 500
"""Edits between looks at the setting where it says never."""


def save_after_edits(workspace: Workspace, client_session_id: str) -> None:
    """Save a conversation if it is time to, and count its edits down from there.

    Raises as `capture`.
    """
    if _left(workspace, client_session_id) == 0:
        from gitmem.actions.saving.checkpoint import capture  # seldom, and not cheap

        capture(workspace, client_session_id, Trigger.OBSERVED)
    count_edits(workspace, client_session_id)


def count_edits(workspace: Workspace, client_session_id: str) -> None:
    """Have hooks count down the edits that are left until the next checkpoint."""
    left = _left(workspace, client_session_id)
    file = workspace.store.journal.beside(client_session_id, EDITS)
    with suppress(OSError):  # then the end of a turn counts
        start_countdown(file, left or _limit(workspace))


def _left(workspace: Workspace, client_session_id: str) -> int:
    """Return how many more edits may be in no commit."""
    limit = _limit(workspace)
    if limit <= 0:
        return _RARELY
    unsaved = workspace.store.journal.pending(journal_name(client_session_id))
    return max(0, limit - sum(_edits_in(entry.line) for entry in unsaved))


def _edits_in(line: str) -> int:
    event = from_json(line)
    return len(event.files) if isinstance(event, Heard) else isinstance(event, Edit)


def _limit(workspace: Workspace) -> int:
    try:
        return int(workspace.repository.config(CHECKPOINT_SETTING) or CHECKPOINT_AFTER)
    except ValueError:
        return CHECKPOINT_AFTER
