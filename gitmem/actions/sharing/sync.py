"""Memory goes to the remote and comes from there, until both have the same.

What is new here is sent at once: a push that is let in proves that there was nothing
new there, so most syncs are one trip. Only where somebody else was faster is there more
to do: what is there is fetched, put together with ours, and sent. And only what the
remote has taken becomes ours, so a lost race leaves no commit behind in our history.
"""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace

from gitmem.actions import detached
from gitmem.actions.housekeeping import keep_house
from gitmem.actions.sharing.record import remember_error, remember_report
from gitmem.actions.sharing.report import Outcome, Report, reported
from gitmem.actions.sharing.settings import Sharing
from gitmem.errors import (
    Busy,
    Damaged,
    FormatTooNew,
    GitmemError,
    InvalidInput,
    Unreachable,
    Unverified,
)
from gitmem.model.counting import counted
from gitmem.store.exchange.fetching import fetch
from gitmem.store.exchange.oversized import refuse_oversized
from gitmem.store.exchange.pushing import push
from gitmem.store.exchange.refusals import Silent
from gitmem.store.exchange.remote import Line
from gitmem.store.exchange.taken import Taken
from gitmem.store.exchange.tracked import Tracked
from gitmem.store.git.values import Oid
from gitmem.store.local.lock import locked
from gitmem.store.trees.memory import REF
from gitmem.waiting import Wait
from gitmem.workspace import Workspace

_MOST_UNMOVED = 5
"""So often in a row one is refused without anybody having been faster."""
_MOST_TRIES = 50
_LONGEST_PAUSE = 10.0
"""Seconds."""
_DOUBLINGS = 4
"""How often the time doubles from which a pause is taken."""
_MANY = 500
"""New sessions that are indexed at once, so that the next search need not wait."""
_PATIENCE = 10.0
"""Seconds that a sync waits for another one of the same repository."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sync is to do."""

    pulls: bool = True
    """Look for what is new there, though there is nothing to send."""
    pushes: bool = True
    is_dry: bool = False
    """Fetch, and say what would be done."""


def sync(workspace: Workspace, sharing: Sharing, wish: Wish, line: Line) -> Report:
    """Exchange memory with the remote that the user chose.

    `line.patience` is for all of it together. Raises Unreachable, Busy where another
    sync goes on, FormatTooNew and Damaged; and InvalidInput where what is there is no
    memory. What came of it is remembered.
    """
    if wish.is_dry:
        return _sync(workspace, sharing, wish, line)
    try:
        report = _sync(workspace, sharing, wish, line)
    except GitmemError as error:
        remember_error(workspace, sharing.remote, error)
        raise
    remember_report(workspace, report)
    if len(report.arrived.new) > _MANY:
        _begin_to_index(workspace)
    keep_house(workspace)
    return report


def _begin_to_index(workspace: Workspace) -> None:
    common_dir = workspace.repository.common_dir
    with suppress(OSError):  # a search sees to it as well
        detached.start(common_dir, "index", str(common_dir))


def _sync(workspace: Workspace, sharing: Sharing, wish: Wish, line: Line) -> Report:
    began = time.monotonic()
    workspace.store.drain()
    workspace.merge_overwritten()
    with _alone(workspace):
        tracked = workspace.tracked(sharing.remote)
        clock = _Clock(line, time.monotonic() + line.patience)
        exchange = _planned if wish.is_dry else _exchanged
        report = exchange(tracked, wish, clock)
    if not wish.is_dry:
        with suppress(GitmemError, OSError):  # whoever reads does it, too
            workspace.drop_traces()
    return replace(report, seconds=time.monotonic() - began)


@contextmanager
def _alone(workspace: Workspace) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(workspace.sync_lock, _PATIENCE))
        except Busy as error:
            raise Busy(
                "Another sync of this repository is under way.",
                hint="Try again when it is done.",
            ) from error
        yield


@dataclass(frozen=True, slots=True)
class _Clock:
    """A line on which all commands together have so much time."""

    line: Line
    deadline: float

    @property
    def left(self) -> float:
        return self.deadline - time.monotonic()

    def next(self) -> Line:
        return replace(self.line, patience=max(1.0, self.left))


def _planned(tracked: Tracked, wish: Wish, clock: _Clock) -> Report:
    taken = _fetched(tracked, clock)
    _refuse_oversized(tracked, taken, wish, clock)
    return reported(tracked, Outcome.PLANNED, taken, _outgoing(taken, wish))


def _exchanged(tracked: Tracked, wish: Wish, clock: _Clock) -> Report:
    taken = _known(tracked, clock)
    if wish.pulls and not _outgoing(taken, wish):
        taken = _fetched(tracked, clock)
    taken = _fit_to_send(tracked, taken, wish, clock)
    unmoved, others = 0, Wait(lambda: "others, who push to the remote as well")
    for tries in range(_MOST_TRIES):
        began, taken = time.monotonic(), _signed(tracked, taken, wish)
        outgoing = _outgoing(taken, wish)
        if _is_sent(tracked, outgoing, wish, clock):
            tracked.land(taken)
            report = reported(tracked, Outcome.DONE, taken, outgoing)
            return replace(report, tries=tries + bool(outgoing))
        others.goes_on()
        if tries:
            _pause(tries, time.monotonic() - began, clock)
        if clock.left <= 0:
            break
        before, taken = taken, _fetched(tracked, clock)
        unmoved = unmoved + 1 if _theirs(before) == _theirs(taken) else 0
        if unmoved == _MOST_UNMOVED:
            raise _not_moving(tracked, outgoing)
    return replace(reported(tracked, Outcome.LOST, [], {}), tries=tries + 1)


def _not_moving(tracked: Tracked, outgoing: Mapping[str, Oid]) -> GitmemError:
    """Why a remote refuses what nobody else moved."""
    remote = tracked.remote
    if any(tracked.git.resolve_ref(remote.tracking(ref)) for ref in outgoing):
        return Busy(
            f"{remote.name} rejected the update {_MOST_UNMOVED} times, and the ref did"
            " not change.",
            hint="A process that died there may have left a lock: a file named as the"
            " ref, with `.lock` at its end, which whoever runs it can remove.",
        )
    return Unreachable(
        f"{remote.name} has {', '.join(map(remote.refs.__getitem__, outgoing))}, and"
        " shows it to nobody who fetches.",
        hint="Either it hides it (uploadpack.hideRefs, transfer.hideRefs): whoever runs"
        " it can show it. Or pushes go to another repository than fetches (`git remote"
        " get-url --push`). Or a process that died there left a lock.",
    )


def _signed(tracked: Tracked, taken: list[Taken], wish: Wish) -> list[Taken]:
    """With signed tips for the remote, where the user asks for signatures."""
    if tracked.signer is None or not wish.pushes:
        return taken
    return [*map(tracked.signer.signed, taken)]


def _known(tracked: Tracked, clock: _Clock) -> list[Taken]:
    """As far as it was fetched; in a partial clone, `git fetch` leaves texts out."""
    try:
        return tracked.taken()
    except (Damaged, FormatTooNew, Unverified):
        return _fetched(tracked, clock)


def _fetched(tracked: Tracked, clock: _Clock) -> list[Taken]:
    fetch(tracked.git, tracked.remote, clock.next())
    return tracked.taken()


def _fit_to_send(
    tracked: Tracked, taken: list[Taken], wish: Wish, clock: _Clock
) -> list[Taken]:
    """What is too large is refused, unless the remote turns out to have it.

    Once is enough: what others send meanwhile they have.
    """
    try:
        _refuse_oversized(tracked, taken, wish, clock)
    except InvalidInput:
        taken = _fetched(tracked, clock)
        _refuse_oversized(tracked, taken, wish, clock)
    return taken


def _refuse_oversized(
    tracked: Tracked, taken: list[Taken], wish: Wish, clock: _Clock
) -> None:
    outgoing = _outgoing(taken, wish)
    leaving = [one for one in taken if one.ref in outgoing]
    refuse_oversized(tracked.git, leaving, clock.line.variables)


def _is_sent(
    tracked: Tracked, outgoing: Mapping[str, Oid], wish: Wish, clock: _Clock
) -> bool:
    """Whether the remote has all of it now.

    Who may only read there takes what is new before Unreachable is raised.
    """
    try:
        return _is_let_in(tracked, outgoing, clock)
    except Silent:
        raise
    except Unreachable as error:
        if wish.pulls and (taken := _taken_anyway(tracked, clock)):
            said = f"{error.message.rstrip('.')}. {_left(taken)}"
            raise Unreachable(said, hint=error.hint) from error
        raise


def _taken_anyway(tracked: Tracked, clock: _Clock) -> list[Taken]:
    """What the remote has, though it takes nothing; empty where it gives nothing."""
    try:
        taken = _fetched(tracked, clock)
        tracked.land(taken)
    except GitmemError:
        return []
    return taken


def _left(taken: list[Taken]) -> str:
    """What became of both sides, where nothing could be sent."""
    waiting = sum(len(one.leaving) for one in taken if one.ref == REF)
    said = f"Not sent: {counted(waiting, 'session')}"
    is_new = any(one.arriving for one in taken)
    return f"{said}; what is new there was taken." if is_new else f"{said}."


def _is_let_in(tracked: Tracked, outgoing: Mapping[str, Oid], clock: _Clock) -> bool:
    """The sessions go first.

    Whoever is refused may not have heard of one that was forgotten, and what was said
    in it must not arrive meanwhile.
    """
    for ref in sorted(outgoing, key=lambda ref: ref != REF):
        if not push(tracked.git, tracked.remote, {ref: outgoing[ref]}, clock.next()):
            return False
    return True


def _outgoing(taken: list[Taken], wish: Wish) -> Mapping[str, Oid]:
    """The commits that the remote does not have, by the refs that lead to them."""
    if not wish.pushes:
        return {}
    return {one.ref: one.sent for one in taken if one.sent and one.sent != one.theirs}


def _theirs(taken: list[Taken]) -> list[Oid | None]:
    return [one.theirs for one in taken]


def _pause(tries: int, took: float, clock: _Clock) -> None:
    """So that those who met once do not meet again.

    The more of them there are, the longer: from twice to many times what one try takes,
    on whatever line there is.
    """
    longest = min(_LONGEST_PAUSE, took * 2 ** min(tries, _DOUBLINGS))
    time.sleep(max(0.0, min(random.uniform(0, longest), clock.left)))  # noqa: S311 - no secret
