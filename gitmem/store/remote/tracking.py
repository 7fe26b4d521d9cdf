"""Merge tracking refs into our refs.

A sync merges what it fetched, and a reader what a plain `git fetch` brought. A file
notes which tips were merged last, so nobody walks history to find nothing new.
"""

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from gitmem.errors import Busy, Unreachable
from gitmem.frozen import frozen
from gitmem.git.files import read_own, replace_file
from gitmem.git.layout import own_dir
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, is_oid
from gitmem.store.lock import PATIENCE, locked
from gitmem.store.remote.held_back import consent_in, note_unsaid
from gitmem.store.remote.inbox import gathered, waiting
from gitmem.store.remote.merge_refs import MergeResult, merge_history
from gitmem.store.remote.remote import TRACKING, Remote, TransportOptions
from gitmem.store.remote.untrusted import MOST_LISTED
from gitmem.store.trees.backups import back_up, kind_of
from gitmem.store.trees.committing import RefUpdate, author, in_some_try
from gitmem.store.trees.document_tree import tree_at_tip


@frozen
class Tracked:
    """Our refs, and those of a remote that are merged into them."""

    git: Repository
    remote: Remote
    lock: Path
    """The lock that is held while a ref of ours moves."""
    when: datetime
    """Time of merge commits."""
    accepted: frozenset[str] = frozenset()
    """Ids of sessions that others may forget here."""

    def has_news(self) -> bool:
        """Return whether a tracking ref moved since it was merged."""
        known_tips = self._merged_tips()
        moved = {
            self.remote.tracking(ref): theirs
            for ref in self.remote.refs
            if (theirs := self._theirs(ref)) and theirs != self.git.resolve_ref(ref)
        }
        news = {**moved, **self._waiting()}
        return any(known_tips.get(name) != commit for name, commit in news.items())

    def taken(self) -> list[MergeResult]:
        """Merge each tracking ref into our ref; no ref moves yet.

        Raises FormatTooNew and Damaged.
        """
        results: dict[str, MergeResult] = {}
        for ref in self.remote.refs:
            results[ref] = self._merge(ref, _of_parents(ref, results))
        return [*results.values()]

    def land(self, results: Iterable[MergeResult], patience: float = PATIENCE) -> None:
        """Move our refs to the results, after a backup, and note what was merged.

        A checkpoint that came meanwhile is merged as well. Raises Busy where others
        keep the lock, FormatTooNew and Damaged.
        """
        with locked(self.lock, patience):
            landed = self._all_landed(results)
            with suppress(Busy):  # a fetch deletes them as well
                for result in landed:
                    for commit in self._merged(result):
                        inbox = self.remote.tracked_inbox(result.ref)
                        self.git.delete_ref(f"{inbox}{commit}")
            self._remember(landed)
            lost = {session_id for result in landed for session_id in result.lost}
            held_ids = {
                removal.session_id for result in landed for removal in result.held
            }
            note_unsaid(own_dir(self.git.common_dir), self.remote.name, lost, held_ids)

    def land_once(self, results: Iterable[MergeResult]) -> None:
        """Move our refs as `land` does, and note nothing: no remote is heard again."""
        with locked(self.lock):
            self._all_landed(results)

    def clear(self, results: Iterable[MergeResult], line: TransportOptions) -> None:
        """Delete at the remote what waits there and is merged.

        Nothing fails because one stays.
        """
        from gitmem.store.remote.pushing import delete_waiting  # readers do without

        merged = {
            f"{self.remote.inbox(result.ref)}{commit}": commit
            for result in results
            for commit in self._merged(result)
        }
        with suppress(Unreachable):
            delete_waiting(self.git, self.remote, merged, line)

    def _merged(self, result: MergeResult) -> frozenset[Oid]:
        """Return commits that wait for a ref and are in it now, and can be deleted."""
        inbox, is_sent = result.inbox, self._theirs(result.ref) == result.sent
        return inbox.merged | inbox.added if is_sent else inbox.merged

    def _merge(self, ref: str, parents: MergeResult | None = None) -> MergeResult:
        remote_tree, git = self._theirs(ref), self.git
        followed = self._merged_tips().get(self.remote.tracking(ref))
        inbox = gathered(git, self.remote, ref, parents)
        by, tip, kind = author(git, self.when), inbox.tip, kind_of(ref)
        local_tree = tree_at_tip(kind, git)
        removals = parents or consent_in(git, kind, self.accepted)
        result = merge_history(git, local_tree, tip, by, removals, followed)
        named_refs = inbox.refused[:MOST_LISTED]
        other_refs = inbox.refused[MOST_LISTED:]
        return replace(
            result,
            theirs=remote_tree,
            inbox=inbox,
            strangers=(*named_refs, *result.strangers),
            more_strangers=result.more_strangers + len(other_refs),
        )

    def _waiting(self) -> dict[str, Oid]:
        inboxes: dict[str, Oid] = {}
        for ref in self.remote.refs:
            inboxes |= waiting(self.git, self.remote, ref)
        return inboxes

    def _theirs(self, ref: str) -> Oid | None:
        return self.git.resolve_ref(self.remote.tracking(ref))

    def _all_landed(self, results: Iterable[MergeResult]) -> list[MergeResult]:
        by_ref: dict[str, MergeResult] = {}
        for result in results:
            parents = _of_parents(result.ref, by_ref)
            by_ref[result.ref] = self._landed(result, parents)
        return [*by_ref.values()]

    def _landed(self, result: MergeResult, parents: MergeResult | None) -> MergeResult:
        tries = iter([result])

        def moved() -> MergeResult | None:
            newest = next(tries, None) or self._merge(result.ref, parents)
            if newest.ours and newest.commit != newest.ours:
                back_up(self.git, newest.ref, newest.ours, self.when)
            move = RefUpdate(
                newest.ref, newest.ours, newest.commit, f"sync: {self.remote.name}"
            )
            return newest if move.is_made(self.git) else None

        return in_some_try(self.git, result.ref, moved)

    def _merged_tips(self) -> dict[str, Oid]:
        with suppress(OSError, ValueError):
            tips = json.loads(read_own(_taken_file(self.git)))
            if isinstance(tips, dict):
                return {ref: str(oid) for ref, oid in tips.items() if is_oid(str(oid))}
        return {}

    def _remember(self, results: Iterable[MergeResult]) -> None:
        """Note where the refs at the remote were when they were merged or pushed."""
        known_tips, now = self._merged_tips(), self._waiting()
        present_refs = {*map(self.remote.tracking, self.remote.refs), *now}
        noted_tips = {
            name: oid for name, oid in known_tips.items() if name in present_refs
        }
        for result in results:
            is_pushed = self._theirs(result.ref) == result.sent
            if oid := result.sent if is_pushed else result.theirs:
                now[self.remote.tracking(result.ref)] = oid
        if (now := noted_tips | now) != known_tips:
            with suppress(OSError):  # it is taken in once more, which changes nothing
                replace_file(_taken_file(self.git), json.dumps(now, indent=1).encode())


def release(git: Repository, name: str) -> None:
    """Delete the tracking refs of a remote, and forget where they were."""
    for ref in git.refs(f"{TRACKING}{name}/"):
        git.delete_ref(ref)
    _taken_file(git).unlink(missing_ok=True)


def _of_parents(ref: str, merged: Mapping[str, MergeResult]) -> MergeResult | None:
    """Return the merge of the documents that a ref's documents belong to."""
    parent = kind_of(ref).parent
    return merged[parent.ref] if parent else None


def _taken_file(git: Repository) -> Path:
    return own_dir(git.common_dir) / "taken.json"
