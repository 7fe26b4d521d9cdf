"""Sync with the remote until both have the same.

Push what is new, then look for what waits there. If somebody else was faster, fetch,
merge and push again; after another lost race, leave the commit in a ref of its own. Our
ref moves only to what the remote has taken, so a lost race leaves no commit in our
history.
"""

import random
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from gitmem import indexing, processes
from gitmem.actions.maintenance import replay_all, run_maintenance
from gitmem.actions.sharing.share_settings import Sharing
from gitmem.actions.sharing.sync_report import (
    SyncOutcome,
    SyncReport,
    in_words,
    reported,
)
from gitmem.actions.sharing.sync_status import LastSync, remember
from gitmem.actions.sharing.sync_steps import Exchange, SyncOptions
from gitmem.errors import GitmemError, Unreachable
from gitmem.frozen import frozen
from gitmem.git.values import Oid
from gitmem.redaction.redact import redact
from gitmem.store.lock import locked
from gitmem.store.remote.merge_refs import MergeResult
from gitmem.store.remote.pushing import require_agreed
from gitmem.store.remote.remote import Remote, TransportOptions, require_no_overwriting
from gitmem.waiting import Wait
from gitmem.workspace import Workspace

_MOST_UNMOVED = 5
"""Rejections in a row without anybody else having pushed."""
_TRIES_TO_WIN = 2
"""After so many lost races, the commit goes to an inbox ref."""
_MOST_TRIES = 50
_LONGEST_PAUSE = 10.0
"""Seconds."""
_DOUBLINGS = 4
_PATIENCE = 10.0
"""Seconds to wait for another sync of the same repository."""


def sync(
    workspace: Workspace, sharing: Sharing, wish: SyncOptions, line: TransportOptions
) -> SyncReport:
    """Sync with the remote that the user chose, and note the result.

    `line.patience` is for all of it. Raises Unreachable, Busy during another sync,
    FormatTooNew, Damaged, and InvalidInput if the remote ref is no memory.
    """
    if wish.is_dry:
        return _sync(workspace, sharing, wish, line)
    name = sharing.remote.name
    try:
        report = _sync(workspace, sharing, wish, line)
    except GitmemError as error:
        words, hint = redact(error.message), error.hint and redact(error.hint)
        last = LastSync(workspace.now(), name, words, error.code, hint)
        remember(workspace, last)
        raise
    nameless = replace(report, authors=())
    lost = report.outcome.value if report.outcome is SyncOutcome.LOST else None
    words_of_result = in_words(nameless)  # words of ours alone: nothing to be redacted
    remember(workspace, LastSync(workspace.now(), name, words_of_result, lost))
    with suppress(GitmemError, OSError):  # whoever reads does it, too
        workspace.drop_traces()
    run_maintenance(workspace)
    if len(report.arrived) > indexing.MOST_INDEXED_AT_ONCE:
        with suppress(OSError):  # whoever searches does it, too
            processes.start_task(workspace.repository.common_dir, "index")
    return report


def _sync(
    workspace: Workspace, sharing: Sharing, wish: SyncOptions, line: TransportOptions
) -> SyncReport:
    began, git = time.monotonic(), workspace.repository
    require_no_overwriting(git, git.remotes())
    replay_all(workspace)
    with locked(workspace.sync_lock, _PATIENCE):
        if wish.pushes:
            require_agreed(git, sharing.remote)
        deadline = time.monotonic() + line.patience
        tracked = workspace.tracked(sharing.remote)
        exchange = Exchange(tracked, line, deadline, wish)
        done = _planned(exchange) if wish.is_dry else _exchanged(exchange)
        report = reported(tracked, done.outcome, done.taken, done.outgoing)
    return replace(report, tries=done.tries, seconds=time.monotonic() - began)


@frozen
class _Done:
    outcome: SyncOutcome
    taken: list[MergeResult]
    outgoing: Mapping[str, Oid]
    tries: int = 0


def _planned(exchange: Exchange) -> _Done:
    results = exchange.fetched()
    return _Done(SyncOutcome.PLANNED, results, exchange.outgoing(results))


def _exchanged(exchange: Exchange) -> _Done:
    results = exchange.merge_last_fetch()
    if not (exchange.wish.pushes and any(result.is_new for result in results)):
        return _settled(
            exchange, exchange.fetched() if exchange.wish.pulls else results
        )
    done = _settled(exchange, results)
    if exchange.wish.pulls and done.outcome is SyncOutcome.DONE:
        with suppress(GitmemError):  # what is new here is there
            done = _with_waiting(exchange, done)
    return done


def _with_waiting(exchange: Exchange, done: _Done) -> _Done:
    """Merge the inboxes there too; losing a race is fine, as the winner does it."""
    results = exchange.fetched()
    if not any(result.inbox.merged or result.inbox.added for result in results):
        return done
    outgoing = exchange.outgoing(results)
    if not exchange.send(results, outgoing):
        return done
    merged = [_as_one(was, now) for was, now in zip(done.taken, results, strict=True)]
    return replace(done, taken=merged, tries=done.tries + bool(outgoing))


def _as_one(earlier: MergeResult, later: MergeResult) -> MergeResult:
    """Join the results of two merges in a row."""
    return replace(
        later,
        ours=earlier.ours,
        theirs=earlier.theirs,
        arriving={**later.arriving, **earlier.arriving},
        leaving=earlier.leaving,
        lost=earlier.lost | later.lost,
        strangers=(*dict.fromkeys((*earlier.strangers, *later.strangers)),),
        more_strangers=earlier.more_strangers + later.more_strangers,
    )


def _settled(exchange: Exchange, results: list[MergeResult]) -> _Done:
    """Push until nothing is left, or it waits in an inbox."""
    unmoved, pushers = 0, Wait(lambda: "others, who push to the remote as well")
    may_wait = True
    for tries in range(_MOST_TRIES):
        began = time.monotonic()
        new = {result.ref for result in results if result.is_new}
        outgoing = exchange.outgoing(results)
        if exchange.send(results, outgoing):
            return _Done(SyncOutcome.DONE, results, outgoing, tries + bool(outgoing))
        if may_wait and tries >= _TRIES_TO_WIN - 1 and not unmoved:
            unsent = {ref: commit for ref, commit in outgoing.items() if ref in new}
            may_wait = exchange.leave(results, unsent)
            if may_wait:
                count = tries + 1 + bool(unsent)
                return _Done(SyncOutcome.WAITING, results, outgoing, count)
        pushers.goes_on()
        if tries:
            _pause(tries, time.monotonic() - began, exchange.seconds_left)
        if exchange.seconds_left <= 0:
            break
        before, results = results, exchange.fetched(with_inboxes=False)
        has_moved = [result.theirs for result in before] != [
            result.theirs for result in results
        ]
        unmoved = 0 if has_moved else unmoved + 1
        if unmoved == _MOST_UNMOVED:
            raise _not_moving(exchange.tracked.remote)
    return _Done(SyncOutcome.LOST, [], {}, tries + 1)


def _not_moving(remote: Remote) -> Unreachable:
    return Unreachable(
        f"{remote.name} rejected the update {_MOST_UNMOVED} times, and a fetch shows no"
        " change.",
        hint="Does it hide the ref (uploadpack.hideRefs), do pushes go elsewhere (`git"
        " remote get-url --push`), or did a process leave a `.lock` file there?",
    )


def _pause(tries: int, took: float, remaining: float) -> None:
    """Sleep at random, up to many times what a try takes."""
    longest = min(_LONGEST_PAUSE, took * 2 ** min(tries, _DOUBLINGS))
    time.sleep(max(0.0, min(random.uniform(0, longest), remaining)))  # noqa: S311 - no secret
