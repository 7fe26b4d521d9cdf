"""A checkpoint: what an assistant or a hook adds to a session, and what that makes."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import datetime
from typing import Any, TypeVar

from gitmem.documents.event import Trigger
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.gist import goal_worth
from gitmem.documents.session.session import (
    LEFT,
    PROMPTS_LIMIT,
    RANKED,
    GoalSource,
    PlanFile,
    Reference,
    Session,
    Status,
)
from gitmem.frozen import frozen
from gitmem.git.values import Change, Commit, FileChange
from gitmem.redaction.redact import NAME

T = TypeVar("T")

_CHANGE_ORDER = tuple(Change)


@frozen
class Rewrite:
    """A commit that another one stands for now, after an amend or a rebase."""

    old: str = field(metadata=NAME)
    """The name under which the session has it."""
    new: Commit


@frozen(kw_only=True)
class Checkpoint:
    """One addition to a session. None means: nothing said about it.

    Lists append, but for those in LEFT, each of which is the whole list of what is left
    and replaces the one before, as `changed_meanwhile` and `diff_summary` do. Of
    `answers`, `last_answer` and `client_summary` those stay that were taken last.
    """

    at: datetime
    trigger: Trigger = Trigger.MANUAL
    status: Status | None = None
    parent: str = field(default="", metadata=NAME)
    program: str = field(default="", metadata=NAME)
    slug: str | None = field(default=None, metadata=NAME)
    goal: str | None = None
    goal_source: GoalSource = GoalSource.WRITTEN
    prompts: tuple[str, ...] = ()
    work_completed: tuple[str, ...] = ()
    work_pending: tuple[str, ...] | None = None
    work_summary: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    last_answer: str = ""
    client_summary: str = ""
    decisions: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    blockers: tuple[str, ...] | None = None
    questions: tuple[str, ...] | None = None
    plan_files: tuple[PlanFile, ...] = ()
    references: tuple[Reference, ...] = ()
    files: tuple[FileChange, ...] = ()
    commits: tuple[Commit, ...] = ()
    rewritten: tuple[Rewrite, ...] = ()
    changed_meanwhile: tuple[str, ...] | None = None
    diff_summary: str | None = None
    branch: str | None = None
    head: str | None = field(default=None, metadata=NAME)
    """The commit that HEAD names, if there is one."""


def apply(session: Session, checkpoint: Checkpoint) -> Session:
    """The session after the checkpoint; the same value when nothing is new.

    What is completed, done, decided, planned and referred to is only ever added to; an
    exact repeat is stored once. What is replaced follows the newer checkpoint: one that
    is older than the session only adds. A session that goes on after its end is open
    again; other names for its commits are no such sign of life.
    The id stays: giving a session its slug is the store's business, which knows the
    ids that are taken.
    """
    is_news = checkpoint.at >= session.updated_at
    told = _with_observed(_with_answers(session, checkpoint), checkpoint)
    changed = replace(
        _with_news(told, checkpoint) if is_news else told,
        **_added(session, checkpoint),
        files=merge_files(session.files, checkpoint.files),
        git_sha_start=session.git_sha_start or checkpoint.head,
        parent=session.parent or clean_client_id(checkpoint.parent),
        program=session.program or checkpoint.program,
    )
    if changed == session:
        return session
    is_alive = is_news and not checkpoint.rewritten
    return _stamp(changed, checkpoint) if is_alive else changed


def without_facts(checkpoint: Checkpoint) -> Checkpoint:
    """The checkpoint without what git and hooks know, which has no bounds."""
    return replace(
        checkpoint, files=(), commits=(), changed_meanwhile=None, diff_summary=None
    )


def state_only(checkpoint: Checkpoint) -> Checkpoint:
    """What it says of where the session is, and adds to no list."""
    return Checkpoint(
        at=checkpoint.at,
        trigger=checkpoint.trigger,
        status=checkpoint.status,
        rewritten=checkpoint.rewritten,
        branch=checkpoint.branch,
        head=checkpoint.head,
    )


def merge_files(
    before: tuple[FileChange, ...], after: Iterable[FileChange]
) -> tuple[FileChange, ...]:
    """Each path once, with the net effect of both, in the order that Session states."""
    net = {file.path: file.change for file in before}
    for file in after:
        net[file.path] = _net_change(net.get(file.path), file.change)
    files = (FileChange(path, change) for path, change in net.items())
    return tuple(sorted(files, key=_place))


def under_present_names(
    commits: Iterable[Commit], rewritten: Iterable[Rewrite]
) -> tuple[Commit, ...]:
    """The commits that stand for these now, each once: several may have become one.

    A rewrite may follow another. What came full circle keeps its name.
    """
    new = {rewrite.old: rewrite.new for rewrite in rewritten}
    return tuple(dict.fromkeys(_present(commit, new) for commit in commits))


def _place(file: FileChange) -> tuple[int, str]:
    return _CHANGE_ORDER.index(file.change), file.path


def _present(commit: Commit, new: Mapping[str, Commit]) -> Commit:
    now, passed = commit, {commit.sha}
    while now.sha in new:
        now = new[now.sha]
        if now.sha in passed:
            return commit
        passed.add(now.sha)
    return now


def _added(session: Session, checkpoint: Checkpoint) -> dict[str, Any]:
    """The lists that only grow; the first prompts, and all that a person listed."""
    lists: dict[str, Any] = {
        name: tuple(dict.fromkeys(getattr(session, name) + getattr(checkpoint, name)))
        for name in RANKED
    }
    most = max(PROMPTS_LIMIT, len(session.prompts))
    commits = under_present_names(lists["commits"], checkpoint.rewritten)
    return {**lists, "prompts": lists["prompts"][:most], "commits": commits}


def _left(session: Session, checkpoint: Checkpoint) -> dict[str, Any]:
    """The lists of what is left that are said anew, and when."""
    said: dict[str, Any] = {}
    for name, said_at in LEFT.items():
        items = getattr(checkpoint, name)
        if items not in (None, getattr(session, name)):
            said |= {name: items, said_at: checkpoint.at}
    return said


def _with_news(session: Session, checkpoint: Checkpoint) -> Session:
    return replace(
        _with_goal(session, checkpoint),
        **_left(session, checkpoint),
        changed_meanwhile=_newest(
            session.changed_meanwhile, checkpoint.changed_meanwhile
        ),
        diff_summary=_newest(session.diff_summary, checkpoint.diff_summary),
        branch=_newest(session.branch, checkpoint.branch),
        git_sha_end=_newest(session.git_sha_end, checkpoint.head),
        status=_newest(session.status, checkpoint.status),
    )


def _with_goal(session: Session, checkpoint: Checkpoint) -> Session:
    goal, source = said = checkpoint.goal, checkpoint.goal_source
    known = session.goal, session.goal_source
    if not goal or said == known or goal_worth(*said) < goal_worth(*known):
        return session
    return replace(session, goal=goal, goal_source=source, goal_at=checkpoint.at)


def _with_answers(session: Session, checkpoint: Checkpoint) -> Session:
    """Whatever else happened since: a transcript is often read after its end."""
    are_news = session.answers_at is None or checkpoint.at > session.answers_at
    if not are_news or checkpoint.answers in ((), session.answers):
        return session
    return replace(session, answers=checkpoint.answers, answers_at=checkpoint.at)


def _with_observed(session: Session, checkpoint: Checkpoint) -> Session:
    are_news = session.observed_at is None or checkpoint.at >= session.observed_at
    known = session.last_answer, session.client_summary
    answer = checkpoint.last_answer or session.last_answer
    summary = checkpoint.client_summary or session.client_summary
    if not are_news or (answer, summary) == known:
        return session
    return replace(
        session, last_answer=answer, client_summary=summary, observed_at=checkpoint.at
    )


def _newest(before: T, after: T | None) -> T:
    return before if after is None else after


def _net_change(before: Change | None, after: Change) -> Change:
    if before is Change.CREATED and after is Change.MODIFIED:
        return Change.CREATED
    if before is Change.DELETED and after is Change.CREATED:
        return Change.MODIFIED  # it was there before the session
    return after


def _stamp(session: Session, checkpoint: Checkpoint) -> Session:
    status = checkpoint.status or Status.OPEN
    return replace(
        session,
        status=status,
        trigger=checkpoint.trigger,
        updated_at=checkpoint.at,
        ended_at=checkpoint.at if status is Status.CLOSED else None,
    )
