"""Repair of our refs, of whose history objects are missing.

Missing objects are fetched from the remote that memory is shared with. If it lacks
them, the ref moves to a new commit on top of the newest complete one, with the newest
readable version of each document. Checkpoints acknowledged since then are replayed from
the journals.
"""

import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from gitmem.actions.doctor.memory import gaps
from gitmem.actions.lost_checkpoints import mark_for_replay
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.errors import Busy, Damaged, NoPermission
from gitmem.git.damage import (
    all_commits,
    drop_unreadable,
    missing_objects,
    out_of_reach,
    replace_broken,
    symbolic_target,
)
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.redaction.redact import redact_own
from gitmem.store.lock import locked
from gitmem.store.remote.fetching import fetch
from gitmem.store.remote.remote import TRACKING, TransportOptions, remote_of
from gitmem.store.trees.backups import BACKUP
from gitmem.store.trees.committing import author, commit_on
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.document_versions import earlier_states, is_of_kind, tip_of
from gitmem.store.trees.last_tips import note_tip
from gitmem.store.trees.salvage import Salvage, salvaged
from gitmem.store.trees.session_tree import sessions_at
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_PATIENCE = 600.0
"""Seconds for each command that talks to the remote; it asks for no password."""
_PAUSE = 0.5
"""Seconds: objects may look missing for a moment while git packs."""
_AT_ONCE = 10_000
"""Object names in the arguments of one command."""
_MOST = 1000
"""Commits of a chain of first parents."""

Commits = tuple[Oid, ...]


def history(workspace: Workspace) -> Iterator[str]:
    """Repair the ref of each kind; yield a line for each thing done.

    Raises Unreachable where objects are missing and the remote, which may have them,
    does not answer; Busy, NoPermission and FormatTooNew.
    """
    git = workspace.repository
    for kind in KINDS.values():
        if symbolic_target(git, kind.ref):
            continue  # moving it would move the ref of somebody else
        if not _is_well(workspace, kind):
            _drop_unreadable(workspace, kind)
        for step in (_from_remote, _moved):
            if not _is_well(workspace, kind):
                yield from step(workspace, kind)


def _is_well(workspace: Workspace, kind: Kind[Any]) -> bool:
    try:
        tip = workspace.repository.resolve_ref(kind.ref)
    except Damaged:
        return False
    return tip is None or _is_whole(workspace, kind, tip)


def _is_whole(workspace: Workspace, kind: Kind[Any], commit: Oid) -> bool:
    git = workspace.repository
    if git.is_partial:
        return git.tree_of(commit) is not None
    return not gaps(git, kind, commit)


def _drop_unreadable(workspace: Workspace, kind: Kind[Any]) -> None:
    """Remove damaged loose objects: git takes them to be there, and fetches none."""
    git = workspace.repository
    tip = tip_of(git, kind.ref)
    try:
        with locked(workspace.store.lock):
            # Again and again: git's walk ends at the first tree that it cannot read.
            while tip and (missing := gaps(git, kind, tip)):
                if not drop_unreadable(git.common_dir, missing):
                    break
    except OSError as error:
        raise NoPermission(
            f"Damaged objects cannot be removed: {error.strerror}."
        ) from error


def _from_remote(workspace: Workspace, kind: Kind[Any]) -> Iterator[str]:
    git, chosen = workspace.repository, workspace.chosen
    remote = remote_of(git, chosen) if chosen and tip_of(git, kind.ref) else None
    if remote is None or kind.ref not in remote.refs:
        return
    line = TransportOptions(_PATIENCE)
    fetch(git, remote, line, with_inboxes=False, from_nothing=True)
    yield f"all that {remote.name} has of {kind.ref} was fetched"


def _moved(workspace: Workspace, kind: Kind[Any]) -> Iterator[str]:
    ref = kind.ref
    if reason := out_of_reach(workspace.repository.common_dir):
        raise Damaged(f"{ref} stays as it is: {reason}.")
    time.sleep(_PAUSE)
    with locked(workspace.store.lock):
        if _is_well(workspace, kind):
            return  # `git gc` was at work
        tip = tip_of(workspace.repository, ref)
        states = _states_of(workspace, kind)
        at = bisect_left(states, x=True, key=partial(_is_whole, workspace, kind))
        whole = states[at] if at < len(states) else None
        commit, salvage = _put_together(workspace, kind, states, whole)
        if kind is SESSION:  # first: whoever is cut off has lost nothing
            memory = sessions_at(workspace.repository, commit)
            if names := mark_for_replay(workspace, memory):
                yield f"{counted(len(names), 'journal')} to be replayed"
        _move(workspace, ref, tip, commit)
        _drop_moves(workspace, ref)
    yield from _report(ref, tip, commit, salvage)
    if kind is SESSION:
        workspace.store.replay()


def _put_together(
    workspace: Workspace, kind: Kind[Any], states: Sequence[Oid], whole: Oid | None
) -> tuple[Oid | None, Salvage]:
    """Return the commit for the ref, if any, and what could not be read."""
    git = workspace.repository
    salvage = salvaged(git, whole, states)
    if not salvage.changes:
        return whole, salvage
    message = redact_own("What cannot be read any more was left out\n")
    before, by = DocumentTree(kind, git, whole), author(git, workspace.now())
    commit = commit_on(git, before, salvage.changes, message, by)
    before.at(commit)  # raises Damaged where it cannot be read
    return commit, salvage


def _move(workspace: Workspace, ref: str, tip: Oid | None, to: Oid | None) -> None:
    git = workspace.repository
    reason = f"doctor: {tip or 'it'} cannot be read"
    is_replaced = replace_broken(git.common_dir, ref, to)
    if to is None:
        if tip:
            git.delete_ref(ref)
    elif not git.update_ref(ref, to if is_replaced else tip, to, reason):
        raise Busy(f"{ref} was moved by another program just now.")
    note_tip(git, ref, to)


def _drop_moves(workspace: Workspace, ref: str) -> None:
    """Drop reflog entries and refs to missing objects: they stop `git gc`."""
    git = workspace.repository
    if git.is_partial:
        return
    moves = git.reflog(ref)[-_AT_ONCE:] if git.resolve_ref(ref) else []
    if moves and missing_objects(git, moves):
        git.forget_moves(ref)
    for name in (*git.refs(TRACKING), *git.refs(BACKUP)):
        tip = tip_of(git, name)
        if tip and missing_objects(git, [tip]):
            git.delete_ref(name)  # the next sync brings it, or makes one of that day


def _report(
    ref: str, tip: Oid | None, commit: Oid | None, salvage: Salvage
) -> Iterator[str]:
    at = f"at {commit[:12]}" if commit else "gone"
    yield f"{ref} is {at}" + (f", and was at {tip}" if tip else "")
    for problem, paths in (
        ("an earlier state was taken of", salvage.older),
        ("no state can be read of", salvage.lost),
    ):
        if paths:
            yield f"{problem} {', '.join(paths)}"


def _states_of(workspace: Workspace, kind: Kind[Any]) -> Commits:
    """Return the readable commits that the ref led to, first parents, newest first.

    Where there are none, the newest of tracking refs, else of the repository.
    """
    git = workspace.repository
    own = _readable(git, kind, (s.commit for s in earlier_states(git, kind.ref)))
    if not own:
        names = (n for n in git.refs(TRACKING) if n.endswith(f"/{kind.root}"))
        fetched = _readable(git, kind, filter(None, map(git.resolve_ref, names)))
        own = _newest(git, fetched or _readable(git, kind, all_commits(git)))
    with suppress(Damaged):
        parents = [p.oid for tip in own[:1] for p in git.first_parents(tip, _MOST)]
        return _readable(git, kind, [*parents, *own])
    return own


def _newest(git: Repository, commits: Sequence[Oid]) -> Commits:
    """Return the newest commit; of several in one second, the last child."""
    last = max(map(git.committed_at, commits), default=None)
    tied = [commit for commit in commits if git.committed_at(commit) == last]
    parents = {
        parent.oid for commit in tied for parent in git.first_parents(commit, 2)[1:]
    }
    return tuple(commit for commit in tied if commit not in parents)[:1]


def _readable(git: Repository, kind: Kind[Any], commits: Iterable[Oid]) -> Commits:
    unique = dict.fromkeys(commits)
    return tuple(commit for commit in unique if is_of_kind(git, kind, commit))
