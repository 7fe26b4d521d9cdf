"""What an import adds to a session that is there already.

A transcript is read long after its conversation, and says less than whoever was there:
an assistant that wrote its goal, git that told which files are gone. So an import
completes a session and never lowers it, and importing the same twice changes nothing.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gitmem.documents.event import Trigger
from gitmem.documents.session.checkpoint import Checkpoint, apply
from gitmem.documents.session.gist import goal_worth
from gitmem.documents.session.session import Session, Status
from gitmem.git.values import Change, FileChange


def complete(session: Session, imported: Checkpoint) -> Session:
    """The session with what its transcript adds; the same value when nothing is new.

    A to-do list is taken where there is none, or where the one that is there came from
    an earlier import. What is not open stays so, and one that went on after the
    transcript keeps all it has. A fork that hooks alone know of is left alone: its
    transcript begins with a copy of its parent's.
    """
    if session.parent and not imported.parent:
        return session
    made = replace(
        imported,
        status=imported.status if session.status is Status.OPEN else session.status,
        files=tuple(_unknown_files(session, imported)),
        commits=tuple(
            commit  # a transcript has as many digits of it as git printed
            for commit in imported.commits
            if not any(map(commit.is_same, session.commits))
        ),
    )
    if _has_lists(session) and session.trigger is not Trigger.IMPORT:
        # The trigger stays with the lists: it tells the next import whose they are.
        made = replace(
            made, trigger=session.trigger, work_completed=(), work_pending=None
        )
    if made.at < session.updated_at:
        session = _with_what_was_never_said(session, made)
    elif made.at == session.updated_at:
        made = _without_what_was_said(made, session)
    return apply(session, made)


def _unknown_files(session: Session, imported: Checkpoint) -> Iterator[FileChange]:
    """Files that the session does not list; of the others only what is gone since."""
    known = {file.path for file in session.files}
    is_news = imported.at >= session.updated_at
    for file in imported.files:
        if file.path not in known or (is_news and file.change is Change.DELETED):
            yield file


def _has_lists(session: Session) -> bool:
    return bool(session.work_completed or session.work_pending)


def _has_better_goal(imported: Checkpoint, session: Session) -> bool:
    given = goal_worth(imported.goal, imported.goal_source)
    return given > goal_worth(session.goal, session.goal_source)


def _without_what_was_said(imported: Checkpoint, session: Session) -> Checkpoint:
    """Two transcripts that end in the same second would replace each other for ever."""
    return replace(
        imported,
        goal=imported.goal if _has_better_goal(imported, session) else None,
        work_pending=None if _has_lists(session) else imported.work_pending,
        branch=None if session.branch else imported.branch,
    )


def _with_what_was_never_said(session: Session, imported: Checkpoint) -> Session:
    """An older checkpoint replaces nothing, and there is nothing to replace here."""
    missing: dict[str, Any] = {}
    if _has_better_goal(imported, session):
        missing |= {"goal": imported.goal, "goal_source": imported.goal_source}
        missing["goal_at"] = imported.at
    if imported.work_pending and not _has_lists(session):
        missing |= {"work_pending": imported.work_pending, "pending_at": imported.at}
    return replace(session, branch=session.branch or imported.branch, **missing)
