"""Which texts at our refs are too long to be read, so that they are not sent either."""

from collections.abc import Iterator
from contextlib import suppress

from gitmem.actions.doctor.finding import Code, Finding, Grade
from gitmem.errors import Damaged, FormatTooNew
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.kinds import KINDS
from gitmem.workspace import Workspace


def oversized(workspace: Workspace) -> Iterator[Finding]:
    """Nothing to say where none is."""
    git = workspace.repository
    for kind in KINDS:
        with suppress(Damaged, FormatTooNew):  # that is told of the ref itself
            tree = kind.at_tip(git)
            for session_id in tree.ids():
                yield from _too_long(workspace, tree, session_id)


def _too_long(
    workspace: Workspace, tree: DayTree, session_id: str
) -> Iterator[Finding]:
    file, size = tree.entry(session_id), 0
    with suppress(Damaged):  # that is told of the objects
        size = workspace.repository.blob_size(file.oid) if file else 0
    if size > tree.most_bytes:
        yield Finding(
            code=Code.OVERSIZED,
            grade=Grade.WARNING,
            about=session_id,
            what=f"the {tree.noun} {session_id} has {size:,} bytes; gitmem reads no"
            f" more than {tree.most_bytes:,}, and sends it nowhere",
            where=tree.ref,
            mend=f"Shorten it by a commit on {tree.ref}.",
        )
