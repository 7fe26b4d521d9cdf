"""What a session leaves uncommitted, kept in this clone where the user wants that.

It lies beside the journal and goes with it; nothing of it reaches a ref.
"""

from contextlib import suppress

from gitmem.config import KEEP_DIFF_SETTING
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.git.config import is_on
from gitmem.git.files import replace_file
from gitmem.git.plumbing.patches import uncommitted_patches
from gitmem.redaction.redact import Redacted, redact
from gitmem.store.journal.beside import DIFF
from gitmem.workspace import Workspace

_MOST = 200_000
"""Characters of all of it; the patch of a file is there whole or not at all."""


def keep_diff(workspace: Workspace, session: Session) -> None:
    """Keep how the files of a session differ from HEAD, in the place of what was kept.

    Nothing where git or the file system hinders it: the session is saved.
    """
    file = workspace.store.journal.beside(session.client_session_id, DIFF)
    with suppress(GitmemError, OSError):
        is_wanted = is_on(workspace.repository, KEEP_DIFF_SETTING)
        if diff := _diff(workspace, session) if is_wanted else None:
            replace_file(file, diff.encode())
        else:
            file.unlink(missing_ok=True)


def _diff(workspace: Workspace, session: Session) -> Redacted:
    room, kept = _MOST, list[str]()
    paths = [file.path for file in session.files]
    for path, patch in uncommitted_patches(workspace.repository, paths):
        fits = len(patch) <= room
        kept.append(patch if fits else f"# {path}: too large to be kept\n")
        room -= len(kept[-1])
    head = f"Not committed at {session.updated_at:%Y-%m-%d %H:%M:%S}:\n\n"
    return redact(head + "".join(kept) if any(kept) else "")
