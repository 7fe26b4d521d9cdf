"""How the memory of a repository stands."""

from pathlib import Path

from gitmem.actions.reading.recent import newest
from gitmem.actions.sharing.sync_status import Shared, shared
from gitmem.frozen import frozen
from gitmem.search.index import Extent
from gitmem.store.registry import registrations
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace


@frozen
class RepositoryStatus:
    project: str
    root: Path
    ref: str
    tip: str | None
    sessions: int
    newest: str | None
    """Id of the newest session."""
    pending: int
    """Acknowledged checkpoints that no commit holds yet."""
    indexed: bool
    """True if the index stands at the tip."""
    indexing: Extent | None
    """How far it has come where another process is building it."""
    registered: bool
    shared: Shared | None
    """None where memory is not shared."""


def status(workspace: Workspace) -> RepositoryStatus:
    memory = workspace.current_sessions()
    first = next(newest(workspace, memory), None)
    common = workspace.repository.common_dir
    repositories = registrations(workspace.environment.home)
    index = workspace.open_index()
    return RepositoryStatus(
        project=workspace.project,
        root=workspace.root,
        ref=REF,
        tip=memory.commit,
        sessions=sum(1 for _ in memory.ids()),
        newest=first.session_id if first else None,
        pending=sum(1 for _ in workspace.store.journal.pending()),
        indexed=index.tip == (workspace.searched().state or None),
        indexing=index.extent if index.is_being_written() else None,
        registered=any(
            repository.git_dir == str(common) for repository in repositories
        ),
        shared=shared(workspace),
    )
