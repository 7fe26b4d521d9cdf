"""What a checkpoint makes of a session, that of an import too.

A transcript is read long after its conversation, and says less than whoever was there:
an assistant that wrote its goal, git that told which files are gone. So an import
completes a session and never lowers it, and importing the same twice changes nothing.
"""

from collections.abc import Iterator
from dataclasses import replace

from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint, apply
from gitmem.documents.session.naming import with_slug
from gitmem.documents.session.session import Session, Status
from gitmem.git.values import Change, FileChange


def with_checkpoint(session: Session, checkpoint: Checkpoint) -> Session:
    """Return the session after a checkpoint, whoever made that."""
    if checkpoint.trigger is Trigger.IMPORT:
        return complete(session, checkpoint)
    return with_slug(session, apply(session, checkpoint), checkpoint.slug)


def complete(session: Session, imported: Checkpoint) -> Session:
    """The session with what its transcript adds; the same value when nothing is new.

    A to-do list is taken where there is none, or where the one that is there came from
    an earlier import. What is not open stays so, and one that went on after the
    transcript keeps all it has. A fork that hooks alone know of is left alone: its
    transcript begins with a copy of its parent's.
    """
    if session.parent and not imported.parent:
        return session
    new = replace(
        imported,
        status=imported.status if session.status is Status.OPEN else session.status,
        files=tuple(_unknown_files(session, imported)),
        commits=tuple(
            commit  # a transcript has as many digits of it as git printed
            for commit in imported.commits
            if not any(map(commit.is_same, session.commits))
        ),
    )
    before = replace(session, branch=session.branch or imported.branch)
    if not (session.work_completed or session.work_pending) or (
        session.trigger is Trigger.IMPORT
    ):
        return apply(before, new)
    without_lists = replace(new, work_completed=(), work_pending=None)
    # The trigger stays with the lists: it tells the next import whose they are.
    return replace(apply(before, without_lists), trigger=session.trigger)


def _unknown_files(session: Session, imported: Checkpoint) -> Iterator[FileChange]:
    """Files that the session does not list; of the others only what is gone since."""
    known = {file.path for file in session.files}
    is_news = imported.at >= session.updated_at
    for file in imported.files:
        if file.path not in known or (is_news and file.change is Change.DELETED):
            yield file
