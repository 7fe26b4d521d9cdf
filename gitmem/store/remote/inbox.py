"""The inbox: commits that lost the race for a ref, at the remote in refs of their own.

Such a ref is created and never moved, so nobody contends for it. Every fetch brings
them, readers merge them, and whoever next moves the ref deletes them. A merge of the
same commits is the same commit in every clone, so two mergers at once agree.
"""

import time
from collections.abc import Sequence

from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.odb.objects import commit_time
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, Signature
from gitmem.store.remote.merge_refs import (
    Inbox,
    MergeResult,
    merge_history,
)
from gitmem.store.remote.remote import Remote
from gitmem.store.remote.untrusted import Stranger
from gitmem.store.trees.backups import kind_of
from gitmem.store.trees.committing import FALLBACK_IDENTITY
from gitmem.store.trees.document_tree import FORMAT_FILE, DocumentTree
from gitmem.text.calendar import moment_at

_MOST = 1000
_MOST_SECONDS = 20.0
"""Commits that are merged at once, and how long that may keep a processor. The next
sync merges the others."""
_TOGETHER = 32
"""Commits that are merged with each other first: fewer texts are compared."""


def waiting(git: Repository, remote: Remote, ref: str) -> dict[str, Oid]:
    """Return the commits that wait for a ref of ours, by their names there."""
    at, remote_prefix = remote.tracked_inbox(ref), remote.inbox(ref)
    if remote_prefix is None:
        return {}
    tips = {name: git.resolve_ref(name) for name in sorted(git.refs(at))}
    return {
        f"{remote_prefix}{n.removeprefix(at)}": tip for n, tip in tips.items() if tip
    }


def gathered(
    git: Repository,
    remote: Remote,
    ref: str,
    parents: MergeResult | None = None,
) -> Inbox:
    """Merge all that waits for a ref into where it is at the remote.

    What cannot be read is refused. `parents` is the merge of the documents that those
    of the ref belong to, if they do.
    """
    remote_tip = git.resolve_ref(remote.tracking(ref))
    merged, new, refused = set[Oid](), list[Oid](), list[Stranger]()
    for name, commit in waiting(git, remote, ref).items():
        if why_not := _why_not(git, ref, name, commit):
            refused.append(Stranger(name, why_not))
        elif remote_tip and git.merge_base(commit, remote_tip) == commit:
            merged.add(commit)
        elif len(new) < _MOST:
            new.append(commit)
    gathering = _Gathering(git, ref, parents)
    tip, added = gathering.with_all(new, remote_tip)
    if tip == remote_tip:
        merged, added = merged | added, set()
    bad = [Stranger(f"{remote.inbox(ref)}{oid}", "damaged") for oid in gathering.bad]
    return Inbox(tip, frozenset(merged), frozenset(added), (*refused, *bad))


def _why_not(git: Repository, ref: str, name: str, commit: Oid) -> str | None:
    """Say why a commit is refused before it is read."""
    if not name.endswith(f"/{commit}") or not git.first_parents(commit, 1):
        return "not the commit that it is named after"
    try:
        is_ours = DocumentTree(kind_of(ref), git, commit).file(FORMAT_FILE)
    except (Damaged, FormatTooNew) as error:
        return error.message
    return None if is_ours else "not written by gitmem"


class _Gathering:
    """Merges made by nobody: the same in every clone."""

    def __init__(self, git: Repository, ref: str, parents: MergeResult | None) -> None:
        self._git = git
        self._ref = ref
        self._parents = parents
        self.bad: list[Oid] = []
        """Commits that are damaged."""

    def with_all(
        self, commits: Sequence[Oid], tip: Oid | None
    ) -> tuple[Oid | None, set[Oid]]:
        """Merge as many commits as there is time for; returns the tip, and which."""
        deadline, added = time.process_time() + _MOST_SECONDS, set[Oid]()
        for start in range(0, len(commits), _TOGETHER):
            if time.process_time() > deadline:
                break
            next_commits = commits[start : start + _TOGETHER]
            tip = self._with(next_commits, tip)
            added.update(next_commits)
        return tip, added.difference(self.bad)

    def _with(self, commits: Sequence[Oid], tip: Oid | None) -> Oid | None:
        """Merge them at once, or one by one where one is damaged."""
        try:
            return self._merged(self._as_one(commits), tip)
        except (Damaged, FormatTooNew):
            if len(commits) == 1:
                self.bad.extend(commits)
                return tip
        for commit in commits:
            tip = self._with([commit], tip)
        return tip

    def _as_one(self, commits: Sequence[Oid]) -> Oid | None:
        half = len(commits) // 2
        if not half:
            return commits[0]
        first_half = self._as_one(commits[:half])
        second_half = self._as_one(commits[half:])
        return self._merged(first_half, second_half)

    def _merged(self, first: Oid | None, second: Oid | None) -> Oid | None:
        """Merge two commits by an author and a time that every clone gives them."""
        git = self._git
        times = map(git.committed_at, filter(None, (first, second)))
        when = commit_time(moment_at(0), times)
        by = Signature(*FALLBACK_IDENTITY, moment_at(when))
        tree = DocumentTree(kind_of(self._ref), git, first)
        return merge_history(git, tree, second, by, self._parents).sent
