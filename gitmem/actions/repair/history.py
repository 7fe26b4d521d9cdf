"""Repair of our refs: every object that they lead to has to be there.

Missing objects are restored from the object backup, or fetched from the remote that
memory is shared with. If neither has them, the ref goes to a new commit on top of the
newest complete one, with the newest readable state of each document. Checkpoints that
were acknowledged since are replayed from the journals.
"""

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from gitmem.actions.doctor.memory import gaps, is_lost, is_partial
from gitmem.actions.repair.journals import mark_for_replay
from gitmem.actions.repair.states import states_of
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.errors import Busy, Damaged, NoPermission
from gitmem.git.damage import (
    drop_unreadable,
    missing_objects,
    out_of_reach,
    replace_broken,
    symbolic_target,
)
from gitmem.git.odb.object_backup import put_back
from gitmem.git.values import Oid
from gitmem.redaction.redact import redact_own
from gitmem.store.lock import locked
from gitmem.store.remote.fetching import bring_all
from gitmem.store.remote.remote import TRACKING, Line, remote_of
from gitmem.store.trees.backups import BACKUP
from gitmem.store.trees.committing import author
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.salvage import Salvage, salvaged
from gitmem.store.trees.session_tree import sessions_at
from gitmem.text.counting import counted
from gitmem.workspace import Workspace

_PATIENCE = 600.0
"""Seconds that one command may take which talks to the remote; it asks nothing."""
_PAUSE = 0.5
"""Seconds; while git packs beside us, objects may look gone for a moment."""
_AT_ONCE = 10_000
"""Names that fit into the arguments of one command."""
_SUBJECT = "What cannot be read any more was left out"


def history(workspace: Workspace) -> Iterator[str]:
    """Repair both refs; yields what was done.

    Raises Unreachable where objects are missing and the remote does not answer: it may
    have them. Raises Busy, NoPermission and FormatTooNew, too.
    """
    git, variables = workspace.repository, workspace.environment.variables
    for kind in KINDS.values():
        if symbolic_target(git, kind.ref, variables):
            continue  # moving it would move the ref of somebody else
        for step in (_from_here, _from_remote, _moved):
            if not _is_well(workspace, kind):
                yield from step(workspace, kind)


def _is_well(workspace: Workspace, kind: Kind[Any]) -> bool:
    try:
        tip = workspace.repository.resolve_ref(kind.ref)
    except Damaged:
        return False
    if tip is None:
        return not is_lost(workspace, kind.ref)
    return _is_whole(workspace, kind, tip)


def _is_whole(workspace: Workspace, kind: Kind[Any], commit: Oid) -> bool:
    git, variables = workspace.repository, workspace.environment.variables
    if is_partial(git):
        return git.tree_of(commit) is not None
    return not gaps(git, kind, commit, variables)


def _from_here(workspace: Workspace, kind: Kind[Any]) -> Iterator[str]:
    git, variables = workspace.repository, workspace.environment.variables
    tip = _tip(workspace, kind.ref)
    try:
        with locked(workspace.store.lock):
            # Again and again: git's walk ends at the first tree that it cannot read.
            while tip and (missing := gaps(git, kind, tip, variables)):
                if not drop_unreadable(git.common_dir, missing):
                    break
            count = put_back(git.common_dir)
    except OSError as error:
        raise NoPermission(f"Objects cannot be restored: {error.strerror}.") from error
    if count:
        yield f"{counted(count, 'object')} restored from the backup"


def _from_remote(workspace: Workspace, kind: Kind[Any]) -> Iterator[str]:
    git, chosen = workspace.repository, workspace.chosen
    remote = remote_of(git, chosen) if chosen and _tip(workspace, kind.ref) else None
    if remote is None or kind.ref not in remote.refs:
        return
    line = Line(workspace.environment.variables, _PATIENCE)
    for each, commit in bring_all(git, remote, line).items():
        name = remote.tracking(each)
        git.update_ref(name, git.resolve_ref(name), commit, "doctor: fetched")
        yield f"all that {remote.name} has of {each} was fetched"


def _moved(workspace: Workspace, kind: Kind[Any]) -> Iterator[str]:
    ref = kind.ref
    if reason := out_of_reach(workspace.repository.common_dir):
        raise Damaged(f"{ref} stays as it is: {reason}.")
    time.sleep(_PAUSE)
    with locked(workspace.store.lock):
        if _is_well(workspace, kind):
            return  # `git gc` was at work
        tip = _tip(workspace, ref)
        states, chain = states_of(workspace, kind, tip)
        at = bisect_left(chain, x=True, key=partial(_is_whole, workspace, kind))
        whole = chain[at] if at < len(chain) else None
        commit, found = _put_together(workspace, kind, states, whole)
        if kind is SESSION:  # first: whoever is cut off has lost nothing
            memory = sessions_at(workspace.repository, commit)
            if count := mark_for_replay(workspace, memory):
                yield f"{counted(count, 'journal')} to be replayed"
        _move(workspace, ref, tip, commit)
        _drop_moves(workspace, ref)
    yield from _report(ref, tip, commit, found)
    if kind is SESSION:
        workspace.store.replay()


def _put_together(
    workspace: Workspace, kind: Kind[Any], states: Sequence[Oid], whole: Oid | None
) -> tuple[Oid | None, Salvage]:
    """The commit for the ref, and what could not be read; None where there is none."""
    git = workspace.repository
    found = salvaged(git, whole, states)
    if not found.changes:
        return whole, found
    base = git.tree_of(whole) if whole else None
    tree = git.write_tree(base, found.changes)
    message, by = redact_own(f"{_SUBJECT}\n"), author(git, workspace.now())
    commit = git.create_commit(tree, [whole] if whole else [], message, by)
    DocumentTree(kind, git, commit)  # raises Damaged where it cannot be read
    return commit, found


def _move(workspace: Workspace, ref: str, tip: Oid | None, to: Oid | None) -> None:
    git = workspace.repository
    reason = f"doctor: {tip or 'it'} cannot be read"
    is_replaced = replace_broken(git.common_dir, ref, to)
    if to is None:
        if tip:
            git.delete_ref(ref)
    elif not git.update_ref(ref, to if is_replaced else tip, to, reason):
        raise Busy(f"{ref} was moved by another program just now.")


def _drop_moves(workspace: Workspace, ref: str) -> None:
    """Whatever still names what is not there would stop `git gc`."""
    git, variables = workspace.repository, workspace.environment.variables
    if is_partial(git):
        return
    moves = git.reflog(ref)[-_AT_ONCE:] if git.resolve_ref(ref) else []
    if moves and missing_objects(git, moves, variables):
        git.forget_moves(ref)
    for name in (*git.refs(TRACKING), *git.refs(BACKUP)):
        tip = _tip(workspace, name)
        if tip and missing_objects(git, [tip], variables):
            git.delete_ref(name)  # the next sync brings it, or makes one of that day


def _tip(workspace: Workspace, ref: str) -> Oid | None:
    """None also where the ref names nothing."""
    with suppress(Damaged):
        return workspace.repository.resolve_ref(ref)
    return None


def _report(
    ref: str, tip: Oid | None, commit: Oid | None, found: Salvage
) -> Iterator[str]:
    at = f"at {commit[:12]}" if commit else "gone"
    yield f"{ref} is {at}" + (f", and was at {tip}" if tip else "")
    for what, paths in (
        ("an earlier state was taken of", found.older),
        ("no state can be read of", found.lost),
    ):
        if paths:
            yield f"{what} {', '.join(paths)}"
