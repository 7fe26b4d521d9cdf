"""The report of a sync, as values, JSON and a sentence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from itertools import islice

from gitmem.documents.authors import name_in
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.frozen import frozen
from gitmem.git.values import Change, Oid
from gitmem.store.remote.merge_refs import MergeResult
from gitmem.store.remote.tracking import Tracked
from gitmem.store.remote.untrusted import MOST_LISTED, Odd, Stranger, odd_documents
from gitmem.store.trees import session_tree
from gitmem.store.trees.backups import kind_of
from gitmem.store.trees.session_tree import SessionTree, sessions_at
from gitmem.text.counting import counted

_MOST_NAMED = 3
_MOST_LOOKED_AT = 200
"""Documents that are read to learn the authors."""


class Outcome(StrEnum):
    DONE = "done"
    PLANNED = "planned"  # nothing but the tracking refs moved
    WAITING = "waiting"  # others were faster; it is there, in a ref of its own
    LOST = "lost"  # others were faster each time; what was here is here, and not there


@frozen
class Arrived:
    """Ids of sessions by what happened to them."""

    new: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    authors: tuple[tuple[str, int], ...] = ()
    """Names with the sessions each began, most first; empty for too many."""

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(sorted((*self.new, *self.updated)))


@frozen(kw_only=True)
class Report:
    remote: str
    outcome: Outcome
    arrived: Arrived = Arrived()
    odd: tuple[Odd, ...] = ()
    """Documents that arrived inconsistent."""
    sent: tuple[str, ...] = ()
    """Ids of new or updated sessions."""
    withdrawn: tuple[str, ...] = ()
    """Ids of sessions that went from the remote."""
    others: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Of each other kind of documents, by name, how many arrived, and were sent."""
    kept: tuple[str, ...] = ()
    """Ids of sessions that the remote lost though nobody forgot them."""
    held_back: tuple[str, ...] = ()
    """Ids of sessions that others forgot, awaiting a decision."""
    strangers: tuple[Stranger, ...] = ()
    """Rejected paths, the first ones."""
    more_strangers: int = 0
    tries: int = 0
    """Pushes."""
    seconds: float = 0.0


def reported(
    tracked: Tracked,
    outcome: Outcome,
    taken: Sequence[MergeResult],
    sent: Mapping[str, Oid],
) -> Report:
    """Report merge results, and which of them were sent."""
    git, by_ref = tracked.git, {one.ref: one for one in taken}
    report = Report(
        remote=tracked.remote.name,
        outcome=outcome,
        held_back=(*dict.fromkeys(h.session_id for one in taken for h in one.held),),
        strangers=tuple(each for one in taken for each in one.strangers),
        more_strangers=sum(one.more_strangers for one in taken),
    )
    if one := by_ref.get(session_tree.REF):
        after = sessions_at(git, one.commit)
        leaving = one.leaving if one.ref in sent else {}
        came = _moves(after, one.arriving)
        went = _moves(sessions_at(git, one.sent), leaving)
        report = replace(
            report,
            arrived=replace(came, authors=_authors(after, came.present)),
            odd=tuple(odd_documents(after, came.present, tracked.when)),
            sent=went.present,
            withdrawn=went.gone,
            kept=tuple(sorted(one.lost)),
        )
    counts = {
        kind_of(one.ref).name: (
            _present(one.arriving),
            _present(one.leaving) if one.ref in sent else 0,
        )
        for one in taken
        if one.ref != session_tree.REF
    }
    return replace(report, others=counts)


def as_json(report: Report) -> dict[str, object]:
    arrived = report.arrived
    others = [
        (kind.root, *report.others.get(kind.name, (0, 0)))
        for kind in KINDS.values()
        if kind is not SESSION
    ]
    return {
        "remote": report.remote,
        "outcome": report.outcome.value,
        "arrived": list(arrived.new),
        "updated": list(arrived.updated),
        "gone": list(arrived.gone),
        "authors": [{"name": name, "sessions": n} for name, n in arrived.authors],
        "sent": list(report.sent),
        "withdrawn": list(report.withdrawn),
        **{root: {"arrived": came, "sent": went} for root, came, went in others},
        "kept": list(report.kept),
        "held_back": list(report.held_back),
        "not_taken": [{"path": s.path, "what": s.what} for s in report.strangers],
        "more_not_taken": report.more_strangers,
        "odd": [
            {"session_id": odd.session_id, "what": list(odd.what)}
            for odd in report.odd[:MOST_LISTED]
        ],
        "more_odd": len(report.odd[MOST_LISTED:]),
        "tries": report.tries,
        "seconds": round(report.seconds, 3),
    }


def in_words(report: Report) -> str:
    """Return a sentence such as `Took 3 sessions of Ada, sent 2 sessions.`."""
    if report.outcome is Outcome.LOST:
        return (
            f"Others were faster {report.tries} times; nothing is lost, and nothing"
            " of it was sent."
        )
    said = ", ".join(_parts(report, report.arrived, report.outcome is Outcome.PLANNED))
    if not said:
        return "Nothing is new."
    waits = " Others were faster: it waits there, and the next sync merges it."
    ending = waits if report.outcome is Outcome.WAITING else ""
    return f"{said[0].upper()}{said[1:]}.{ending}"


def _parts(report: Report, arrived: Arrived, is_plan: bool) -> Iterable[str]:
    updated = len(arrived.updated)
    known = f" ({updated:,} known, and newer)" if updated else ""
    taken, gone = f"{_of(arrived)}{known}", " that went there"
    others = report.others.items()
    for number, noun, plan, done, rest in (
        (len(arrived.new) + updated, "session", "would take", "took", taken),
        (len(arrived.gone), "session", "would let go of", "let go of", gone),
        (len(report.kept), "session", "would keep", "kept", " that were lost there"),
        *((came, name, "would take", "took", "") for name, (came, _) in others),
        (len(report.sent), "session", "would send", "sent", ""),
        (len(report.withdrawn), "session", "would take back", "took back", ""),
        *((went, name, "would send", "sent", "") for name, (_, went) in others),
    ):
        if number:
            yield f"{plan if is_plan else done} {counted(number, noun)}{rest}"


def _of(arrived: Arrived) -> str:
    names = [name for name, _ in arrived.authors]
    if not names or len(names) > _MOST_NAMED:
        return f" of {len(names)} people" if names else ""
    *others, last = names
    return f" of {', '.join(others)} and {last}" if others else f" of {last}"


def _moves(after: SessionTree, changes: Mapping[str, Change]) -> Arrived:
    """Sort sessions by what happened; a renamed one is neither new nor gone."""
    new, updated, gone = (
        {each for each, change in changes.items() if change is wanted}
        for wanted in Change
    )
    read = map(after.readable, islice(new, _MOST_LOOKED_AT)) if gone else ()
    former = {each.id: {*each.former_ids} for each in read if each}
    was = updated | gone
    updated |= {each for each, names in former.items() if names & was}
    renamed = set[str]().union(*former.values())
    return Arrived(
        tuple(sorted(new - updated)),
        tuple(sorted(updated)),
        tuple(sorted(gone - renamed)),
    )


def _present(changes: Mapping[str, Change]) -> int:
    return sum(change is not Change.DELETED for change in changes.values())


def _authors(after: SessionTree, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
    if len(ids) > _MOST_LOOKED_AT:
        return ()
    sessions = filter(None, map(after.readable, ids))
    names = filter(None, (name_in(session.author) for session in sessions))
    return tuple(Counter(names).most_common())
