"""What git says as a conversation begins: only what comes later is its own."""

from math import inf
from typing import TypeVar

from gitmem.actions.saving.facts import FILES_LIMIT
from gitmem.documents.event import Found
from gitmem.errors import Damaged, NoPermission
from gitmem.git.files import changed_at
from gitmem.workspace import Workspace

F = TypeVar("F", bound=Found)


def note_found(workspace: Workspace, client_session_id: str, tool: str) -> None:
    workspace.store.journal.note(found(workspace, Found, client_session_id, tool))


def found(
    workspace: Workspace,
    kind: type[F],
    client_session_id: str,
    tool: str,
    since: float = inf,
) -> F:
    """Branch, HEAD, and what differs from it, as an event of the conversation.

    What was changed at `since`, in seconds since 1970, or later, was not found.
    """
    head = workspace.repository.head()
    differing = {
        path: changed_at(workspace.root / path)
        for path in _dirty(workspace, head.commit)
    }
    dirty = {path: at for path, at in differing.items() if at < since}
    return kind(
        at=workspace.now(),
        tool=tool,
        client_session_id=client_session_id,
        root=str(workspace.root),
        branch=head.branch,
        head=head.commit,
        dirty=tuple(dirty),
        changed=tuple(dirty.values()),
    )


def _dirty(workspace: Workspace, head: str | None) -> tuple[str, ...]:
    """Nothing where so much differs that no session would be given it either."""
    if workspace.repository.work_tree is None:
        return ()
    try:
        changes = workspace.repository.changes_since(head)
    except (Damaged, NoPermission):
        return ()
    return tuple(c.path for c in changes) if len(changes) <= FILES_LIMIT else ()
