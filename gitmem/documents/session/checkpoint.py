"""A checkpoint: what an assistant or a hook adds to a session, and what that makes."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from datetime import datetime, timedelta
from typing import Any

from gitmem.documents.event import Trigger
from gitmem.documents.names import clean_client_id
from gitmem.documents.session.fields import (
    APPENDED,
    FIELDS,
    OBSERVED,
    REPLACED,
    TextLists,
)
from gitmem.documents.session.gist import goal_worth
from gitmem.documents.session.session import (
    PROMPTS_LIMIT,
    GoalSource,
    PlanFile,
    Reference,
    Session,
    Status,
)
from gitmem.documents.session.statements import with_new_times
from gitmem.frozen import frozen
from gitmem.git.values import Change, Commit, CommitPatch, FileChange
from gitmem.redaction.redact import NAME

_CHANGE_ORDER = tuple(Change)


@frozen
class Rewrite:
    """A commit that another one stands for now, after an amend or a rebase."""

    old: str = field(metadata=NAME)
    """The name under which the session has it."""
    new: Commit


@frozen(kw_only=True)
class Checkpoint(TextLists):
    """One addition to a session. None means: nothing said about it.

    `fields.py` says what each value does to the present one.
    """

    at: datetime
    trigger: Trigger = Trigger.MANUAL
    status: Status | None = None
    parent: str = field(default="", metadata=NAME)
    program: str = field(default="", metadata=NAME)
    other_repositories: int = 0
    slug: str | None = field(default=None, metadata=NAME)
    goal: str | None = None
    goal_source: GoalSource = GoalSource.WRITTEN
    prompts: tuple[str, ...] = ()
    work_pending: tuple[str, ...] | None = None
    answers: tuple[str, ...] = ()
    last_answer: str = ""
    client_summary: str = ""
    blockers: tuple[str, ...] | None = None
    questions: tuple[str, ...] | None = None
    plan_files: tuple[PlanFile, ...] = ()
    references: tuple[Reference, ...] = ()
    files: tuple[FileChange, ...] = ()
    commits: tuple[Commit, ...] = ()
    patches: tuple[CommitPatch, ...] = ()
    rewritten: tuple[Rewrite, ...] = ()
    changed_meanwhile: tuple[str, ...] | None = None
    diff_summary: str | None = None
    branch: str | None = None
    head: str | None = field(default=None, metadata=NAME)
    """The commit that HEAD names, if there is one."""


def apply(session: Session, checkpoint: Checkpoint) -> Session:
    """The session after the checkpoint; the same value when nothing is new.

    What is completed, done, decided, planned and referred to is only ever added to; an
    exact repeat is stored once. A field that is replaced has a stamp, and a checkpoint
    replaces none with a later one. A session that goes on after its end is open again;
    other names for its commits are no such sign of life.
    """
    is_news = _replaces(checkpoint, session.updated_at) or (
        checkpoint.at == session.updated_at and _is_empty(session)
    )
    changed = replace(
        session,
        **_new_goal(session, checkpoint),
        **_new_lists(session, checkpoint),
        **_new_observations(session, checkpoint),
        **_added(session, checkpoint),
        **(_new_state(checkpoint) if is_news else {}),
        files=merge_files(session.files, checkpoint.files),
        stated_at=with_new_times(session, checkpoint, checkpoint.at),
        git_sha_start=session.git_sha_start or checkpoint.head,
        parent=session.parent or clean_client_id(checkpoint.parent),
        program=session.program or checkpoint.program,
        other_repositories=max(
            session.other_repositories, checkpoint.other_repositories
        ),
    )
    if changed == session:
        return session
    is_alive = is_news and not checkpoint.rewritten
    return _stamp(changed, checkpoint) if is_alive else changed


def moment_after(session: Session, now: datetime) -> datetime:
    """Return now, or the second after the newest stamp of a session.

    A merge knows no order but that of stamps. What a person or a tool call changes is
    later than what it replaces, also where another clone's clock is ahead, and where a
    second has two changes.
    """
    stamps = [getattr(session, name) for name in ("goal_at", *REPLACED.values())]
    newest: datetime = max([session.updated_at, *filter(None, stamps)])
    with suppress(OverflowError):  # a document may claim the year 9999
        return now if now > newest else newest + timedelta(seconds=1)
    return newest


def without_facts(checkpoint: Checkpoint) -> Checkpoint:
    """The checkpoint without what git and hooks know, which has no bounds."""
    return replace(
        checkpoint,
        files=(),
        commits=(),
        patches=(),
        changed_meanwhile=None,
        diff_summary=None,
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
        for name in APPENDED
    }
    most = max(PROMPTS_LIMIT, len(session.prompts))
    commits = under_present_names(lists["commits"], checkpoint.rewritten)
    renamed = {commit.sha for commit in {*lists["commits"]}.difference(commits)}
    return {
        **lists,
        "prompts": lists["prompts"][:most],
        "commits": commits,
        "former_commits": tuple(sorted(renamed.union(session.former_commits))),
    }


def _replaces(checkpoint: Checkpoint, stamp: datetime | None) -> bool:
    """Tell whether a checkpoint replaces a field with this stamp.

    Of two transcripts that end in one second the first import counts: else they would
    replace each other for ever.
    """
    if stamp is None or checkpoint.at > stamp:
        return True
    return checkpoint.at == stamp and checkpoint.trigger is not Trigger.IMPORT


def _is_empty(session: Session) -> bool:
    """Tell whether a session just began: its `updated_at` is no stamp yet."""
    return not any(getattr(session, field.name) for field in FIELDS)


def _new_goal(session: Session, checkpoint: Checkpoint) -> dict[str, Any]:
    goal, source = after = checkpoint.goal, checkpoint.goal_source
    before = session.goal, session.goal_source
    gain = goal_worth(*after) - goal_worth(*before)
    if not goal or after == before or gain < 0:
        return {}
    if gain == 0 and not _replaces(checkpoint, session.goal_at):
        return {}
    return {"goal": goal, "goal_source": source, "goal_at": checkpoint.at}


def _new_lists(session: Session, checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the lists of what is left that are new, and their stamps."""
    values: dict[str, Any] = {}
    for name, stamp_name in REPLACED.items():
        items = getattr(checkpoint, name)
        is_new = items not in (None, getattr(session, name))
        if is_new and _replaces(checkpoint, getattr(session, stamp_name)):
            values |= {name: items, stamp_name: checkpoint.at}
    return values


def _new_observations(session: Session, checkpoint: Checkpoint) -> dict[str, Any]:
    """Return what was observed, and its stamps: transcripts are read after the end."""
    values: dict[str, Any] = {}
    for stamp_name, names in OBSERVED.items():
        before = {name: getattr(session, name) for name in names}
        after = {name: getattr(checkpoint, name) or before[name] for name in names}
        if before != after and _replaces(checkpoint, getattr(session, stamp_name)):
            values |= {**after, stamp_name: checkpoint.at}
    return values


def _new_state(checkpoint: Checkpoint) -> dict[str, Any]:
    values = {
        "changed_meanwhile": checkpoint.changed_meanwhile,
        "diff_summary": checkpoint.diff_summary,
        "branch": checkpoint.branch,
        "git_sha_end": checkpoint.head,
        "status": checkpoint.status,
    }
    return {name: value for name, value in values.items() if value is not None}


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
