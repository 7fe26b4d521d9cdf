"""What two clones know of sessions, put together without asking anybody.

Commutative, associative and idempotent: in whatever order clones hear of each other,
they end with the same documents. Each part of a session is joined on its own, and the
document keeps all that this needs; docs/format.md says how.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gitmem.documents.event import Trigger
from gitmem.documents.session import ranks
from gitmem.documents.session.checkpoint import merge_files
from gitmem.documents.session.fields import APPENDED, OBSERVED, STAMPED, STATE
from gitmem.documents.session.gist import goal_worth
from gitmem.documents.session.identity import provisional_slug, slug_of
from gitmem.documents.session.sections import blocks, closed
from gitmem.documents.session.session import Session, Status
from gitmem.documents.session.statement_times import StatementTimes
from gitmem.documents.session.statements import times_by_digest
from gitmem.git.values import Change, FileChange
from gitmem.text.patterns import pattern

_NEVER = datetime.min.replace(tzinfo=UTC)
_STATUSES = tuple(Status)
_STRENGTH = (Change.MODIFIED, Change.CREATED, Change.DELETED)
_TRIGGERS = tuple(Trigger)
_AIM = ("goal", "goal_source", "goal_at")
_OBSERVED = (*OBSERVED["observed_at"], "observed_at")


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


def _of(session: Session, *names: str) -> dict[str, Any]:
    return {name: getattr(session, name) for name in names}


def _identity(one: Session, other: Session) -> dict[str, Any]:
    """What is the same in all versions, but for ids, and where somebody changed it."""
    client = _first(one.client_session_id, other.client_session_id)
    session_ids = one.session_id, other.session_id
    return {
        "id": min(one.id, other.id),
        "session_id": min(
            session_ids,
            key=lambda session_id: (_is_provisional(session_id, client), session_id),
        ),
        "former_ids": (*session_ids, *one.former_ids, *other.former_ids),
        "client_session_id": client,
        "started_at": min(one.started_at, other.started_at, key=_moment),
        "tool": _first(one.tool, other.tool),
        "project": _first(one.project, other.project),
        "author": _first(one.author, other.author),
        "parent": _first(one.parent, other.parent),
        "program": _first(one.program, other.program),
        "other_repositories": max(one.other_repositories, other.other_repositories),
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
    values: dict[str, Any] = {}
    for name, said_at in STAMPED.items():
        last = max(both, key=partial(_said, name, said_at))
        values |= _of(last, name, said_at)
    return values


def _said(name: str, said_at: str, session: Session) -> tuple[Any, ...]:
    return _moment(getattr(session, said_at)), getattr(session, name)


def _lists(one: Session, other: Session) -> dict[str, Any]:
    former = {*one.former_commits, *other.former_commits}
    lists: dict[str, Any] = {"former_commits": tuple(sorted(former))}
    list_ranks: dict[str, tuple[int, ...]] = {}
    for name in APPENDED:
        versions = [
            (getattr(session, name), dict(session.ranks).get(name, ()))
            for session in (one, other)
        ]
        lists[name], list_ranks[name] = ranks.joined(*versions)
    ranked = zip(lists["commits"], list_ranks["commits"], strict=True)
    present = [(commit, rank) for commit, rank in ranked if commit.sha not in former]
    lists["commits"] = tuple(commit for commit, _ in present)
    list_ranks["commits"] = tuple(rank for _, rank in present)
    times = _first_times(one, other)
    return {**lists, "ranks": tuple(list_ranks.items()), "stated_at": times}


def _first_times(one: Session, other: Session) -> StatementTimes:
    """When each statement was made first, by its digest."""
    times = times_by_digest(one)
    for digest, at in times_by_digest(other).items():
        times[digest] = min(times.get(digest, at), at, key=_moment)
    return tuple(times.items())


def _files(one: Session, other: Session) -> tuple[FileChange, ...]:
    """Of two changes the one that says more."""
    strongest = sorted(
        {*one.files, *other.files}, key=lambda file: _STRENGTH.index(file.change)
    )
    by_path = {file.path: file for file in strongest}
    return merge_files((), by_path.values())


_LINE = pattern(r"[^\n]*\n|[^\n]+")
_KEY = pattern(r"([^\s#\-\[\]{}&*!|>?%@`,][^:\n]*?)[ \t]*:(?:\s|\Z)")


def joined_headers(one: str, other: str) -> str:
    """Entries of both; of two for one key the longer, with the comments above it."""
    return _joined(one, other, _union_of_entries)


def joined_bodies(one: str, other: str) -> str:
    """Sections of both, each once; two with one heading stay two."""
    return _joined(one, other, _union_of_sections)


def _joined(one: str, other: str, union: Callable[[str, str], str]) -> str:
    if one == other or not other:
        return one
    return union(one, other) if one else other


def _union_of_entries(one: str, other: str) -> str:
    chosen: dict[str, str] = {}
    comments: set[str] = set()
    for text in (one, other):
        for key, entry in _entries(text):
            if key:
                chosen[key] = max(chosen.get(key, ""), entry, key=_length)
            else:
                comments |= _as_comments(entry)
    return "".join([*(chosen[key] for key in sorted(chosen)), *sorted(comments)])


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Keys and entries, each with the comments right above it.

    Without a key comes what stands above all entries, and the comments below them all.
    """
    key, lines, comments = "", list[str](), list[str]()
    for line in _LINE.findall(text):
        if match := _KEY.match(line):
            yield key, "".join(lines)
            key, lines, comments = match[1], [*comments, line], []
        elif line.startswith("#"):
            comments.append(line)
        else:
            lines += [*comments, line]
            comments = []
    yield key, "".join(lines)
    yield "", "".join(comments)


def _as_comments(text: str) -> set[str]:
    lines = (line for line in _LINE.findall(text) if line.strip())
    return {line if line.startswith("#") else f"# {line.lstrip()}" for line in lines}


def _length(text: str) -> tuple[int, str]:
    return len(text), text


def _union_of_sections(one: str, other: str) -> str:
    return "\n\n".join(sorted({*_sections(one), *_sections(other)}))


def _sections(text: str) -> Iterator[str]:
    yield from (closed(block.text) for block in blocks(text) if block.text)
