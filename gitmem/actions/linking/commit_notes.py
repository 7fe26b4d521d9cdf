"""Git notes on the user's commits that name their sessions; off unless asked for."""

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress

from gitmem.actions.linking.links import Link, link_of, links_to
from gitmem.documents.session.message import note_of
from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.config import is_on, set_config
from gitmem.store.trees.notes import REF, count_notes, write_notes
from gitmem.workspace import Workspace

SETTING = "ocm.notes"


@frozen
class Notes:
    """How the notes of a repository stand."""

    is_on: bool
    count: int
    """How many commits have a note, on `ref`."""
    written: int = 0
    """How many of them have been written now."""
    ref: str = REF


def notes(workspace: Workspace) -> Notes:
    return Notes(
        is_on(workspace.repository, SETTING), count_notes(workspace.repository)
    )


def turn_on(workspace: Workspace) -> Notes:
    """Keep notes from now on, and write those of all sessions there are.

    Raises Busy where other programs are writing, NoPermission where nobody may.
    """
    _set(workspace, "true")
    sessions = workspace.current_sessions().newest()
    written = _write(workspace, (link_of(workspace, each) for each in sessions))
    return Notes(is_on=True, count=count_notes(workspace.repository), written=written)


def turn_off(workspace: Workspace) -> Notes:
    """Write no notes any more; those that are there stay."""
    _set(workspace, None)
    if is_on(workspace.repository, SETTING):  # by the user's own settings
        _set(workspace, "false")
    return notes(workspace)


def note_commits(workspace: Workspace, session: Session) -> None:
    """Where notes are on, give the commits of a session theirs.

    To be called when a session has new commits, or others for them. It never fails:
    what it leaves out is made up for by `turn_on`.
    """
    if not is_on(workspace.repository, SETTING):
        return
    with suppress(GitmemError):
        commits = {commit.sha for commit in link_of(workspace, session).commits}
        _write(workspace, links_to(workspace, commits))


def _set(workspace: Workspace, value: str | None) -> None:
    variables = workspace.environment.variables
    set_config(workspace.repository, SETTING, value, variables)


def _write(workspace: Workspace, links: Iterable[Link]) -> int:
    """Note the commits of these links, which have to be all there are to them."""
    sessions: defaultdict[str, list[Session]] = defaultdict(list)
    for link in links:
        for commit in link.commits:
            sessions[commit.sha].append(link.session)
    texts = {commit: note_of(made_by) for commit, made_by in sessions.items()}
    author = workspace.store.author(workspace.now())
    return write_notes(workspace.repository, texts, author)
