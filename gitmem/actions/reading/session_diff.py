"""The full diff of a session: of its commits, and of what it left uncommitted."""

from contextlib import suppress

from gitmem.actions.reading.documents import session_named
from gitmem.frozen import frozen
from gitmem.git.files import read_own
from gitmem.git.plumbing.patches import commit_patches, off_branches
from gitmem.git.values import Commit
from gitmem.store.journal.beside import DIFF
from gitmem.workspace import Workspace


@frozen
class SessionDiff:
    session_id: str
    patches: str
    """As `git show` writes them, about the files of the session."""
    off_branches: tuple[Commit, ...]
    """Those of its commits that were rewritten, or whose branch was deleted."""
    missing: tuple[Commit, ...]
    uncommitted: str | None
    """None where nothing is kept here."""


def session_diff(workspace: Workspace, name: str, *, is_colored: bool) -> SessionDiff:
    """Return the diff of the session that `name` means; see find_session for errors."""
    session = session_named(workspace, name)
    git, paths = workspace.repository, [file.path for file in session.files]
    found = [(git.full_name(commit.sha), commit) for commit in session.commits]
    here = {oid: commit for oid, commit in found if oid}
    uncommitted = None
    with suppress(OSError):
        kept = read_own(workspace.store.journal.beside(session.client_session_id, DIFF))
        uncommitted = kept.decode("utf-8", "replace")
    return SessionDiff(
        session.session_id,
        commit_patches(git, here, paths, is_colored=is_colored),
        tuple(here[oid] for oid in off_branches(git, here)),
        tuple(commit for oid, commit in found if oid is None),
        uncommitted,
    )
