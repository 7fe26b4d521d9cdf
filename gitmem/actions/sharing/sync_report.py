"""What came of a sync, as values, as JSON and in words."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import islice

from gitmem.documents.session.whose import name_in
from gitmem.git.values import Oid
from gitmem.store.remote.merge_refs import Taken
from gitmem.store.remote.tracking import Tracked
from gitmem.store.remote.untrusted import MOST_LISTED, Odd, Stranger, odd_documents
from gitmem.store.trees import conversation_tree, session_tree
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.session_tree import SessionTree
from gitmem.text.counting import counted

_MOST_NAMED = 3
"""Authors that are named."""
_MOST_LOOKED_AT = 200
"""Documents that are read to learn who began the sessions."""


class Outcome(StrEnum):
    DONE = "done"
    PLANNED = "planned"  # nothing but the tracking refs moved
    WAITING = "waiting"  # others were faster; it is there, in a ref of its own
    LOST = "lost"  # others were faster each time; what was here is here, and not there

    @property
    def error(self) -> str | None:
        """The code by which it is known; None where all went well."""
        return self.value if self is Outcome.LOST else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Sessions that came, by what became of ours. All are ids."""

    new: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Forgotten, or removed."""
    authors: tuple[tuple[str, int], ...] = ()
    """Names, and how many sessions each began of those that are new or updated; those
    who began most come first. None where there are too many to look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    remote: str
    outcome: Outcome
    odd: list[Odd]
    """Documents that came and are not what they say."""
    arrived: Arrived = Arrived()
    sent: tuple[str, ...] = ()
    """Ids of sessions whose text the remote did not have so."""
    withdrawn: tuple[str, ...] = ()
    """Ids of sessions that the remote let go of: forgotten here, or removed."""
    conversations_arrived: int = 0
    conversations_sent: int = 0
    kept: tuple[str, ...] = ()
    """Ids of sessions that the remote had no more, or less of, though nobody forgot
    them: what is here stays."""
    held_back: tuple[str, ...] = ()
    """Ids of sessions that others forgot, and that wait for the user's decision."""
    strangers: tuple[Stranger, ...] = ()
    """What was not taken, the first of it."""
    more_strangers: int = 0
    tries: int = 0
    """How often something was sent."""
    seconds: float = 0.0


def reported(
    tracked: Tracked, outcome: Outcome, taken: Sequence[Taken], sent: Mapping[str, Oid]
) -> Report:
    """What it comes to that this was taken in, and what was sent of it."""
    by_ref = {one.ref: one for one in taken}
    sessions, said = by_ref.get(session_tree.REF), by_ref.get(conversation_tree.REF)
    after = SessionTree(tracked.git, sessions.commit if sessions else None)
    came = went = _Moves()
    if sessions:
        came = _moves(SessionTree(tracked.git, sessions.ours), after, sessions.arriving)
    if sessions and sessions.ref in sent:
        there, now = (
            SessionTree(tracked.git, o) for o in (sessions.theirs, sessions.sent)
        )
        went = _moves(there, now, sessions.leaving)
    is_said_sent = said is not None and said.ref in sent
    return Report(
        remote=tracked.remote.name,
        outcome=outcome,
        arrived=Arrived(**asdict(came), authors=_authors(after, came.present)),
        odd=odd_documents(after, came.present, tracked.when),
        sent=went.present,
        withdrawn=went.gone,
        conversations_arrived=_kept(tracked, said, said.arriving) if said else 0,
        conversations_sent=(
            _kept(tracked, said, said.leaving) if said and is_said_sent else 0
        ),
        kept=tuple(sorted(sessions.lost)) if sessions else (),
        held_back=tuple(h.session_id for h in sessions.held) if sessions else (),
        strangers=tuple(each for one in taken for each in one.strangers),
        more_strangers=sum(one.more_strangers for one in taken),
    )


def as_json(report: Report) -> dict[str, object]:
    arrived = report.arrived
    return {
        "remote": report.remote,
        "outcome": report.outcome.value,
        "arrived": list(arrived.new),
        "updated": list(arrived.updated),
        "gone": list(arrived.gone),
        "authors": [{"name": name, "sessions": n} for name, n in arrived.authors],
        "sent": list(report.sent),
        "withdrawn": list(report.withdrawn),
        "conversations": {
            "arrived": report.conversations_arrived,
            "sent": report.conversations_sent,
        },
        "kept": list(report.kept),
        "held_back": list(report.held_back),
        "not_taken": [{"path": s.path, "what": s.what} for s in report.strangers],
        "more_not_taken": report.more_strangers,
        "odd": [
            {"session_id": o.session_id, "what": [*o.what]}
            for o in report.odd[:MOST_LISTED]
        ],
        "more_odd": len(report.odd[MOST_LISTED:]),
        "tries": report.tries,
        "seconds": round(report.seconds, 3),
    }


def in_words(report: Report) -> str:
    """One sentence: `Took 3 sessions of Ada, sent 2 sessions`, with its full stop."""
    if report.outcome is Outcome.LOST:
        return (
            f"Others were faster {report.tries} times; nothing is lost, and nothing"
            " of it was sent."
        )
    is_plan = report.outcome is Outcome.PLANNED
    parts = [*_taken(report, is_plan), *_sent(report, is_plan)]
    if not parts:
        return "Nothing is new."
    said = ", ".join(parts)
    waits = " Others were faster: it waits there, and the next sync merges it."
    ending = waits if report.outcome is Outcome.WAITING else ""
    return f"{said[0].upper()}{said[1:]}.{ending}"


def _kept(tracked: Tracked, said: Taken, ids: Iterable[str]) -> int:
    """How many of these conversations did not go."""
    after = ConversationTree(tracked.git, said.commit)
    return sum(after.entry(each) is not None for each in ids)


def _taken(report: Report, is_plan: bool) -> Iterable[str]:
    arrived, verb = report.arrived, "would take" if is_plan else "took"
    if count := len(arrived.new) + len(arrived.updated):
        updated = len(arrived.updated)
        known = f" ({updated:,} known, and newer)" if updated else ""
        yield f"{verb} {counted(count, 'session')}{_of(arrived)}{known}"
    if gone := len(arrived.gone):
        release = "would let go of" if is_plan else "let go of"
        yield f"{release} {counted(gone, 'session')} that went there"
    if report.kept:
        keep = "would keep" if is_plan else "kept"
        yield f"{keep} {counted(len(report.kept), 'session')} that were lost there"
    if report.conversations_arrived:
        yield f"{verb} {counted(report.conversations_arrived, 'conversation')}"


def _sent(report: Report, is_plan: bool) -> Iterable[str]:
    verb = "would send" if is_plan else "sent"
    if report.sent:
        yield f"{verb} {counted(len(report.sent), 'session')}"
    if report.withdrawn:
        withdraw = "would take back" if is_plan else "took back"
        yield f"{withdraw} {counted(len(report.withdrawn), 'session')}"
    if report.conversations_sent:
        yield f"{verb} {counted(report.conversations_sent, 'conversation')}"


def _of(arrived: Arrived) -> str:
    names = [name for name, _ in arrived.authors]
    if not names or len(names) > _MOST_NAMED:
        return f" of {len(names)} people" if names else ""
    *others, last = names
    return f" of {', '.join(others)} and {last}" if others else f" of {last}"


@dataclass(frozen=True, slots=True)
class _Moves:
    """Sessions by what was there of them before. All are ids."""

    new: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()

    @property
    def present(self) -> tuple[str, ...]:
        return tuple(sorted((*self.new, *self.updated)))


def _moves(before: SessionTree, after: SessionTree, ids: frozenset[str]) -> _Moves:
    """A session with another id than before was not new, and is not gone."""
    was, now = ({each for each in ids if side.entry(each)} for side in (before, after))
    former = _former_ids(after, now - was) if was - now else {}
    known = now & was | {each for each, names in former.items() if names & was}
    renamed = set[str]().union(*former.values())
    return _Moves(
        new=tuple(sorted(now - known)),
        updated=tuple(sorted(known)),
        gone=tuple(sorted(was - now - renamed)),
    )


def _former_ids(after: SessionTree, ids: set[str]) -> dict[str, set[str]]:
    sessions = filter(None, map(after.readable, islice(ids, _MOST_LOOKED_AT)))
    return {session.id: set(session.former_ids) for session in sessions}


def _authors(after: SessionTree, ids: Sequence[str]) -> tuple[tuple[str, int], ...]:
    if len(ids) > _MOST_LOOKED_AT:
        return ()
    sessions = filter(None, map(after.readable, ids))
    names = filter(None, (name_in(session.author) for session in sessions))
    return tuple(Counter(names).most_common())
