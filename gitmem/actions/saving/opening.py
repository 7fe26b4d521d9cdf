"""What git says as a conversation begins: only what comes later is its own."""

from gitmem.actions.saving.facts import FILES_LIMIT
from gitmem.errors import Damaged, NoPermission
from gitmem.model.event import Found
from gitmem.store.files import changed_at
from gitmem.workspace import Workspace


def note_found(workspace: Workspace, client_session_id: str, tool: str) -> None:
    """Note branch, HEAD, and what differs from it, in the conversation's journal."""
    head = workspace.repository.head()
    dirty = _dirty(workspace, head.commit)
    found = Found(
        at=workspace.now(),
        tool=tool,
        client_session_id=client_session_id,
        root=str(workspace.root),
        branch=head.branch,
        head=head.commit,
        dirty=dirty,
        changed=tuple(changed_at(workspace.root / path) for path in dirty),
    )
    workspace.store.journal.note(found)


def _dirty(workspace: Workspace, head: str | None) -> tuple[str, ...]:
    """Nothing where so much differs that no session would be given it either."""
    if workspace.repository.work_tree is None:
        return ()
    try:
        changes = workspace.repository.changes_since(head)
    except (Damaged, NoPermission):
        return ()
    return tuple(c.path for c in changes) if len(changes) <= FILES_LIMIT else ()
