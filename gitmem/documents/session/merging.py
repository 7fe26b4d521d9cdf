"""What two clones know of sessions, put together without asking anybody.

Commutative, associative and idempotent: in whatever order clones hear of each other,
they end with the same documents. Each part of a session is joined on its own, and the
document keeps all that this needs; docs/format.md says how.
"""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gitmem.documents.event import Trigger
from gitmem.documents.session import ranks
from gitmem.documents.session.additions import (
    joined_bodies,
    joined_headers,
    whole_body,
    whole_header,
)
from gitmem.documents.session.checkpoint import merge_files
from gitmem.documents.session.fields import APPENDED, REPLACED, STAMPED, STATE
from gitmem.documents.session.gist import goal_worth
from gitmem.documents.session.identity import provisional_slug, slug_of, tool_in
from gitmem.documents.session.session import (
    Session,
    Status,
)
from gitmem.git.values import Change, Commit, FileChange

_NEVER = datetime.min.replace(tzinfo=UTC)
_STATUSES = tuple(Status)
_STRENGTH = (Change.MODIFIED, Change.CREATED, Change.DELETED)
_TRIGGERS = tuple(Trigger)
_AIM = ("goal", "goal_source", "goal_at")
_OBSERVED = ("last_answer", "client_summary", "observed_at")
_REPLACED = ("branch", "git_sha_end", "answers", "answers_at", *_OBSERVED)
"""What a checkpoint replaces, and never takes away."""


def merged(one: Session, other: Session) -> Session:
    """What both know of one session: lists are unions, the rest follows the newer.

    Both are versions of one conversation, with the same client id.
    """
    both = (one, other)
    return Session(
        **_identity(one, other),
        **_of(max(both, key=_state), *STATE),
        **_of(max(both, key=_goal), *_AIM),
        **_latest(both),
        **_of(max(both, key=_observed), *_OBSERVED),
        **_lists(one, other),
        files=_files(one, other),
        extra_header=joined_headers(one.extra_header, other.extra_header),
        extra_body=joined_bodies(one.extra_body, other.extra_body),
    )


def completed(later: Session, earlier: Session) -> Session:
    """`later`, with what `earlier` has and only a loss can have taken from it.

    Both are versions of one session, and nobody changed the earlier one meanwhile. What
    is replaced by every checkpoint, such as the to-do list, is as the later one has it;
    lists, files and sections do not shrink, and nothing that was said becomes empty. No
    checkpoint puts times back: where they are, what goes with them is as it was.
    """
    aimed = later if later.goal else earlier
    latest = max(later, earlier, key=lambda version: version.updated_at)
    newest = replace(later, **_of(latest, *STATE))
    same = _identity(later, earlier) | {"id": later.id, "tool": _tool(later, earlier)}
    is_news = newest.updated_at > earlier.updated_at
    whole = replace(
        newest,
        **_of(aimed, *_AIM),
        **_left(later, earlier),
        **same,
        **_whole_lists(later, earlier),
        files=merge_files(
            (), {f.path: f for f in (*earlier.files, *later.files)}.values()
        ),
        **_either(newest, earlier, *_REPLACED),
        **({} if is_news else _either(newest, earlier, "diff_summary")),
        extra_header=whole_header(later.extra_header, earlier.extra_header),
        extra_body=whole_body(later.extra_body, earlier.extra_body),
    )
    return later if whole == later else whole


def _of(session: Session, *names: str) -> dict[str, Any]:
    return {name: getattr(session, name) for name in names}


def _either(one: Session, other: Session, *names: str) -> dict[str, Any]:
    """What the first has, or else the other."""
    return {name: getattr(one, name) or getattr(other, name) for name in names}


def _whole_lists(later: Session, earlier: Session) -> dict[str, Any]:
    """A commit that was amended has another name, and its subject."""
    renamed = {*later.commits}.difference(earlier.commits)
    subjects = {commit.subject for commit in renamed}
    found: dict[str, Any] = {}
    for name in APPENDED:
        now = getattr(later, name)
        before = [
            each
            for each in getattr(earlier, name)
            if each in now
            or not (isinstance(each, Commit) and each.subject in subjects)
        ]
        is_whole = {*before} <= {*now}
        found[name] = now if is_whole else tuple(dict.fromkeys((*before, *now)))
    return found


def _tool(later: Session, earlier: Session) -> str:
    """The one that the id names, as anybody can change a header."""
    tools = later.tool, earlier.tool
    return tool_in(later.id) if tool_in(later.id) in tools else _first(*tools)


def _identity(one: Session, other: Session) -> dict[str, Any]:
    """What is the same in all versions, but for ids, and where somebody changed it."""
    client = _first(one.client_session_id, other.client_session_id)
    session_ids = one.session_id, other.session_id
    return {
        "id": min(one.id, other.id),
        "session_id": min(
            session_ids, key=lambda each: (_is_provisional(each, client), each)
        ),
        "former_ids": (*session_ids, *one.former_ids, *other.former_ids),
        "client_session_id": client,
        "started_at": min(one.started_at, other.started_at, key=_moment),
        "tool": _first(one.tool, other.tool),
        "project": _first(one.project, other.project),
        "author": _first(one.author, other.author),
        "parent": _first(one.parent, other.parent),
        "program": _first(one.program, other.program),
        "git_sha_start": _first(one.git_sha_start or "", other.git_sha_start or "")
        or None,
    }


def _first(*texts: str) -> str:
    return min(filter(None, texts), default="")


def _is_provisional(session_id: str, client_session_id: str) -> bool:
    return slug_of(session_id) == provisional_slug(client_session_id)


def _moment(time: datetime | None) -> tuple[datetime, str]:
    """Its place among others; the offset decides where they are the same moment."""
    return time or _NEVER, (time or _NEVER).isoformat()


def _state(session: Session) -> tuple[Any, ...]:
    """Order states of a session; one that says nothing comes first."""
    return (
        _moment(session.updated_at),
        _STATUSES.index(session.status),
        _moment(session.ended_at),
        *(session.git_sha_end or "", session.branch or "", session.diff_summary),
        session.changed_meanwhile,
        _TRIGGERS.index(session.trigger),
    )


def _goal(session: Session) -> tuple[Any, ...]:
    worth = goal_worth(session.goal, session.goal_source)
    return worth, _moment(session.goal_at), session.goal


def _observed(session: Session) -> tuple[Any, ...]:
    said = session.last_answer, session.client_summary
    return _moment(session.observed_at), said


def _latest(both: tuple[Session, Session]) -> dict[str, Any]:
    """The lists that are replaced, each as it was said last."""
    found: dict[str, Any] = {}
    for name, said_at in STAMPED.items():
        last = max(both, key=partial(_said, name, said_at))
        found |= _of(last, name, said_at)
    return found


def _said(name: str, said_at: str, session: Session) -> tuple[Any, ...]:
    return _moment(getattr(session, said_at)), getattr(session, name)


def _left(later: Session, earlier: Session) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, said_at in REPLACED.items():
        moments = [_moment(getattr(each, said_at))[0] for each in (later, earlier)]
        found |= _of(earlier if moments[0] < moments[1] else later, name, said_at)
    return found


def _lists(one: Session, other: Session) -> dict[str, Any]:
    found: dict[str, Any] = {}
    told = []
    for name in APPENDED:
        lists = [(getattr(s, name), dict(s.ranks).get(name, ())) for s in (one, other)]
        found[name], of_items = ranks.joined(*lists)
        told.append((name, of_items))
    return {**found, "ranks": tuple(told)}


def _files(one: Session, other: Session) -> tuple[FileChange, ...]:
    """Of two changes the one that says more."""
    strongest = sorted(
        {*one.files, *other.files}, key=lambda file: _STRENGTH.index(file.change)
    )
    by_path = {file.path: file for file in strongest}
    return merge_files((), by_path.values())
