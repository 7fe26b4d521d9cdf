"""The report of a sync, as values, JSON and a sentence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from enum import StrEnum
from itertools import chain, starmap
from typing import Any

from gitmem.documents.authors import name_in
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Change, Oid
from gitmem.redaction.redact import rules_that_see
from gitmem.store.remote.merge_refs import MergeResult
from gitmem.store.remote.tracking import Tracked
from gitmem.store.remote.untrusted import Stranger
from gitmem.store.trees import session_tree
from gitmem.store.trees.backups import kind_of
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.session_tree import SessionTree, sessions_at
from gitmem.text.counting import counted

_MOST_NAMED = 3
_MOST_LOOKED_AT = 200
"""Documents of a kind that are read to learn the authors, and for secrets."""
Ids = tuple[str, ...]


class SyncOutcome(StrEnum):
    DONE = "done"
    PLANNED = "planned"  # nothing but the tracking refs moved
    WAITING = "waiting"  # others were faster; it is there, in a ref of its own
    LOST = "lost"  # others were faster each time; what was here is here, and not there


@frozen
class Author:
    name: str
    sessions: int
    """How many of them this author began."""


@frozen(kw_only=True)
class SyncReport:
    """What a sync did, with the names of `--json`. Ids are those of sessions."""

    remote: str
    outcome: SyncOutcome
    arrived: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    authors: tuple[Author, ...] = ()
    """Authors of what arrived, most sessions first; empty for too many."""
    sent: tuple[str, ...] = ()
    """Sessions that were new or updated at the remote."""
    withdrawn: tuple[str, ...] = ()
    """Sessions that were forgotten at the remote."""
    others: Mapping[str, Mapping[str, int]] = field(
        default_factory=lambda: {
            kind.root: dict.fromkeys(("arrived", "gone", "sent", "withdrawn"), 0)
            for kind in _other_kinds()
        }
    )
    """How many documents of other kinds moved, by what they are called: `memories`."""
    kept: tuple[str, ...] = ()
    """Sessions that the remote lost though nobody forgot them."""
    held_back: tuple[str, ...] = ()
    """Sessions that others forgot, awaiting a decision."""
    unredacted: tuple[str, ...] = ()
    """Fetched documents of any kind in which the rules of this clone see a secret."""
    not_taken: tuple[Stranger, ...] = ()
    """Rejected paths, the first ones."""
    more_not_taken: int = 0
    tries: int = 0
    """Pushes."""
    seconds: float = 0.0


def reported(
    tracked: Tracked,
    outcome: SyncOutcome,
    results: Sequence[MergeResult],
    sent: Mapping[str, Oid],
) -> SyncReport:
    """Report merge results, and which of them were sent."""
    report = SyncReport(
        remote=tracked.remote.name,
        outcome=outcome,
        held_back=(
            *dict.fromkeys(h.session_id for result in results for h in result.held),
        ),
        not_taken=tuple(
            stranger for result in results for stranger in result.strangers
        ),
        more_not_taken=sum(result.more_strangers for result in results),
        unredacted=tuple(chain(*(_unredacted(tracked.git, x) for x in results))),
    )
    for result in results:
        leaving = result.leaving if result.ref in sent else {}
        if result.ref == session_tree.REF:
            report = _with_sessions(report, tracked, result, leaving)
        else:
            moved = {
                "arrived": _present(result.arriving),
                "gone": _removed(result.arriving),
                "sent": _present(leaving),
                "withdrawn": _removed(leaving),
            }
            other_kinds = {**report.others, kind_of(result.ref).root: moved}
            report = replace(report, others=other_kinds)
    return report


def _unredacted(git: Repository, result: MergeResult) -> Iterator[str]:
    """Yield documents that arrive with a secret; none of too many."""
    tree = DocumentTree(kind_of(result.ref), git, result.commit)
    present = [x for x, change in result.arriving.items() if change != Change.DELETED]
    for document_id in present if len(present) <= _MOST_LOOKED_AT else ():
        if rules_that_see(tree.text(document_id) or ""):
            yield document_id


def _with_sessions(
    report: SyncReport,
    tracked: Tracked,
    result: MergeResult,
    leaving: Mapping[str, Change],
) -> SyncReport:
    after = sessions_at(tracked.git, result.commit)
    arrived, updated, removed = _moves(after, result.arriving)
    went = _moves(sessions_at(tracked.git, result.sent), leaving)
    present = sorted((*arrived, *updated))
    return replace(
        report,
        arrived=arrived,
        updated=updated,
        gone=removed,
        authors=authors_of(
            filter(None, map(after.readable, present))
            if len(present) <= _MOST_LOOKED_AT
            else ()
        ),
        sent=tuple(sorted((*went[0], *went[1]))),
        withdrawn=went[2],
        kept=tuple(sorted(result.lost)),
    )


def authors_of(sessions: Iterable[Session]) -> tuple[Author, ...]:
    """Return who began sessions, and how many, most first."""
    names = filter(None, (name_in(session.author) for session in sessions))
    return tuple(starmap(Author, Counter(names).most_common()))


def as_json(report: SyncReport) -> dict[str, object]:
    return flat(report) | {"seconds": round(report.seconds, 3)}


def flat(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass, and what `others` has in its place."""
    values = dict[str, Any]()
    for name, item in asdict(value).items():
        values |= item if name == "others" else {name: item}
    return values


def in_words(report: SyncReport) -> str:
    """Return a sentence such as `Fetched 3 sessions of Ada, sent 2 sessions.`."""
    if report.outcome is SyncOutcome.LOST:
        return (
            f"Others pushed first {report.tries} times: nothing was sent, and nothing"
            " is lost."
        )
    parts = ", ".join(_parts(report, is_plan=report.outcome is SyncOutcome.PLANNED))
    if not parts:
        return "Nothing is new."
    waits = " Others pushed first: it waits there, and the next sync merges it."
    ending = waits if report.outcome is SyncOutcome.WAITING else ""
    return f"{parts[0].upper()}{parts[1:]}.{ending}"


def _parts(report: SyncReport, *, is_plan: bool) -> Iterator[str]:
    updated = len(report.updated)
    updates = f" ({updated:,} updated)" if updated else ""
    fetched = f"{_of_authors(report.authors)}{updates}"
    other_kinds = [(kind.name, report.others[kind.root]) for kind in _other_kinds()]
    independent = [
        (kind.name, report.others[kind.root])
        for kind in _other_kinds()
        if kind.parent is None  # the others go with their sessions
    ]
    for number, noun, plan, done, rest in (
        (len(report.arrived) + updated, "session", "would fetch", "fetched", fetched),
        (len(report.gone), "session", "would remove", "removed", " forgotten there"),
        *(
            (moved["gone"], n, "would remove", "removed", " forgotten there")
            for n, moved in independent
        ),
        (len(report.kept), "session", "would keep", "kept", " that were lost there"),
        *(
            (moved["arrived"], n, "would fetch", "fetched", "")
            for n, moved in other_kinds
        ),
        (len(report.sent), "session", "would send", "sent", ""),
        (len(report.withdrawn), "session", "would remove", "removed", " there"),
        *((moved["sent"], n, "would send", "sent", "") for n, moved in other_kinds),
        *(
            (moved["withdrawn"], n, "would remove", "removed", " there")
            for n, moved in independent
        ),
    ):
        if number:
            yield f"{plan if is_plan else done} {counted(number, noun)}{rest}"


def _other_kinds() -> list[Kind[Any]]:
    return [kind for kind in KINDS.values() if kind is not SESSION]


def _of_authors(authors: Sequence[Author]) -> str:
    names = [author.name for author in authors]
    if not names or len(names) > _MOST_NAMED:
        return f" of {len(names)} people" if names else ""
    *leading, last = names
    return f" of {', '.join(leading)} and {last}" if leading else f" of {last}"


def _moves(after: SessionTree, changes: Mapping[str, Change]) -> tuple[Ids, Ids, Ids]:
    """Return the new, updated and gone sessions; one with another id is updated."""
    new, updated, removed = (
        {session_id for session_id, change in changes.items() if change is kind}
        for kind in Change
    )
    identity = after.kind.identity
    before, now = ({*map(identity, ids)} for ids in (removed, new | updated))
    moved = {session_id for session_id in new if identity(session_id) in before}
    gone = {document_id for document_id in removed if identity(document_id) not in now}
    return (
        tuple(sorted(new - moved)),
        tuple(sorted(updated | moved)),
        tuple(sorted(gone)),
    )


def _present(changes: Mapping[str, Change]) -> int:
    return len(changes) - _removed(changes)


def _removed(changes: Mapping[str, Change]) -> int:
    return sum(change is Change.DELETED for change in changes.values())
