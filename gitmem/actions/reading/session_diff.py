"""The full diff of a session: of its commits, and of what it left uncommitted."""

from contextlib import suppress

from gitmem.documents.kinds import SESSION
from gitmem.frozen import frozen
from gitmem.git.files import read_own
from gitmem.git.patches import commit_patches, off_branches
from gitmem.git.values import Commit
from gitmem.lookup import find
from gitmem.store.journal.beside import DIFF
from gitmem.workspace import Workspace


@frozen
class SessionDiff:
    session_id: str
    patches: str
    """Patches of the files of the session, as `git show` writes them."""
    off_branches: tuple[Commit, ...]
    """Commits of the session that no branch has any more."""
    missing: tuple[Commit, ...]
    uncommitted: str | None
    """None where nothing is kept here."""


def session_diff(workspace: Workspace, name: str, *, is_colored: bool) -> SessionDiff:
    """Return the diff of the session that `name` means; see `find_id` for errors."""
    session = find(workspace, SESSION, name)
    git, paths = workspace.repository, [file.path for file in session.files]
    resolved = [(git.full_name(commit.sha), commit) for commit in session.commits]
    present = {oid: commit for oid, commit in resolved if oid}
    uncommitted = None
    with suppress(OSError):
        content = read_own(
            workspace.store.journal.beside(session.client_session_id, DIFF)
        )
        uncommitted = content.decode("utf-8", "replace")
    return SessionDiff(
        session.session_id,
        commit_patches(git, present, paths, is_colored=is_colored),
        tuple(present[oid] for oid in off_branches(git, present)),
        tuple(commit for oid, commit in resolved if oid is None),
        uncommitted,
    )
