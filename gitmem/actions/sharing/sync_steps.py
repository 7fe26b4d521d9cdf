"""The steps of a sync: fetch, sign, push, and move our refs."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from gitmem.errors import (
    Damaged,
    FormatTooNew,
    GitmemError,
    Unreachable,
)
from gitmem.frozen import frozen
from gitmem.git.values import Oid
from gitmem.store.remote.fetching import fetch
from gitmem.store.remote.merge_refs import MergeResult
from gitmem.store.remote.pushing import leave_waiting, push
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.remote.tracking import Tracked
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted


@frozen
class SyncOptions:
    pulls: bool = True
    """Fetch even with nothing to send."""
    pushes: bool = True
    is_dry: bool = False
    """Fetch, and report the plan."""


@frozen
class Exchange:
    """A sync with one remote until a deadline."""

    tracked: Tracked
    line: TransportOptions
    deadline: float
    wish: SyncOptions

    @property
    def seconds_left(self) -> float:
        """Seconds."""
        return self.deadline - time.monotonic()

    def merge_last_fetch(self) -> list[MergeResult]:
        """Merge the last fetch; fetch again if unreadable, as in a partial clone."""
        try:
            return self.tracked.taken()
        except (Damaged, FormatTooNew):
            return self.fetched()

    def fetched(self, *, with_inboxes: bool = True) -> list[MergeResult]:
        git, remote = self.tracked.git, self.tracked.remote
        fetch(git, remote, self._next(), with_inboxes=with_inboxes)
        return self.tracked.taken()

    def outgoing(self, results: list[MergeResult]) -> Mapping[str, Oid]:
        """Return the commits that the remote does not have, by our refs."""
        if not self.wish.pushes:
            return {}
        return {
            result.ref: result.sent
            for result in results
            if result.sent not in (None, result.theirs)
        }

    def send(self, results: list[MergeResult], outgoing: Mapping[str, Oid]) -> bool:
        """Push, then move our refs; return False if somebody was faster.

        Without permission to push, take what is new before raising Unreachable.
        """
        try:
            if not self._push(outgoing):
                return False
        except Unreachable as error:
            if self.wish.pulls and (fetched_anyway := self._taken_anyway()):
                message = (
                    f"{error.message.rstrip('.')}. {_unsent_summary(fetched_anyway)}"
                )
                raise Unreachable(message, hint=error.hint) from error
            raise
        if self.wish.pushes:
            line = self._next()
            may_ask = line.may_ask and bool(outgoing)
            self.tracked.clear(results, replace(line, may_ask=may_ask))
        self.tracked.land(results)
        return True

    def leave(self, results: list[MergeResult], unsent: Mapping[str, Oid]) -> bool:
        """Push to inbox refs; return False if the host takes none."""
        git, remote = self.tracked.git, self.tracked.remote
        if unsent and not leave_waiting(git, remote, unsent, self._next()):
            return False
        self.tracked.land(results)
        return True

    def _taken_anyway(self) -> list[MergeResult]:
        """Take what is new though nothing can be sent; empty on failure."""
        with suppress(GitmemError):
            results = self.fetched()
            self.tracked.land(results)
            return results
        return []

    def _push(self, outgoing: Mapping[str, Oid]) -> bool:
        """Push each ref, sessions first; return False if somebody was faster.

        A conversation must not arrive before the tombstone of its session.
        """
        git, remote = self.tracked.git, self.tracked.remote
        return all(
            push(git, remote, {ref: outgoing[ref]}, self._next())
            for ref in sorted(outgoing, key=lambda ref: ref != REF)
        )

    def _next(self) -> TransportOptions:
        return replace(self.line, patience=max(1.0, self.seconds_left))


def _unsent_summary(results: list[MergeResult]) -> str:
    """Say what was not sent, and whether anything was taken."""
    waiting = sum(len(result.leaving) for result in results if result.ref == REF)
    is_new = any(result.arriving for result in results)
    ending = "; what is new there was taken." if is_new else "."
    return f"Not sent: {counted(waiting, 'session')}{ending}"
