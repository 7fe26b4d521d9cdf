"""Our refs, brought to a state of which every object is there.

What is missing is put back from the second links that are kept a while, or brought from
the remote that memory is shared with. What nobody has any more is left out: the ref
goes to a new commit, after the newest one that is whole, which has of each text the
newest state that can be read. What was acknowledged since is in the journals.
"""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath

from gitmem.actions.doctor.objects import gaps, is_partial
from gitmem.actions.doctor.refs import is_lost
from gitmem.actions.repair.journals import replayed, take_back_older
from gitmem.actions.repair.states import States, is_of_kind, states_of, without_gaps
from gitmem.documents.session.identity import is_session_id
from gitmem.errors import Busy, Damaged, NoPermission
from gitmem.git.broken_refs import make_direct, replace_broken, symbolic_target
from gitmem.git.missing_objects import drop_unreadable, missing_objects, out_of_reach
from gitmem.git.object_backup import put_back
from gitmem.git.values import Oid
from gitmem.redaction.redact import redact_own
from gitmem.store.lock import locked
from gitmem.store.remote.chosen_remote import remote_of
from gitmem.store.remote.full_fetch import bring_all
from gitmem.store.remote.remote import TRACKING, Line
from gitmem.store.trees.committing import author
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.kinds import BACKUP, KINDS
from gitmem.store.trees.salvage import Salvage, salvaged
from gitmem.store.trees.session_tree import SessionTree
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
    """What was done; nothing where all was well.

    Raises Unreachable where objects are missing and the remote does not answer: it may
    have them. Raises Busy, NoPermission and FormatTooNew, too.
    """
    for kind in KINDS:
        yield from _direct(workspace, kind)
        if not _is_well(workspace, kind):
            yield from _from_here(workspace, kind)
        if not _is_well(workspace, kind) and _tip(workspace, kind.ref):
            yield from _from_remote(workspace, kind.ref)
        if not _is_well(workspace, kind):
            yield from _moved(workspace, kind)


def _direct(workspace: Workspace, kind: type[DayTree]) -> Iterator[str]:
    """A link to another ref becomes a ref, where there is a memory of ours."""
    git, variables = workspace.repository, workspace.environment.variables
    with locked(workspace.store.lock):
        if target := symbolic_target(git, kind.ref, variables):
            commit = _tip(workspace, kind.ref)
            is_ours = commit is not None and is_of_kind(git, kind, commit)
            make_direct(git, kind.ref, commit if is_ours else None, variables)
            yield f"{kind.ref} is no link to {target} any more"


def _is_well(workspace: Workspace, kind: type[DayTree]) -> bool:
    try:
        tip = workspace.repository.resolve_ref(kind.ref)
    except Damaged:
        return False
    if tip is None:
        return not is_lost(workspace, kind.ref)
    return _is_whole(workspace, kind, tip)


def _is_whole(workspace: Workspace, kind: type[DayTree], commit: Oid) -> bool:
    git, variables = workspace.repository, workspace.environment.variables
    if is_partial(git):
        return git.tree_of(commit) is not None
    return gaps(git, kind, commit, variables) is None


def _from_here(workspace: Workspace, kind: type[DayTree]) -> Iterator[str]:
    git, tip = workspace.repository, _tip(workspace, kind.ref)
    try:
        with locked(workspace.store.lock):
            _drop_unreadable(workspace, kind, tip)
            count = put_back(git.common_dir)
    except OSError as error:
        raise NoPermission(f"Objects cannot be put back: {error.strerror}.") from error
    if count:
        yield f"{counted(count, 'object')} put back that had been kept a while"


def _drop_unreadable(
    workspace: Workspace, kind: type[DayTree], tip: Oid | None
) -> None:
    """Again and again: git's walk ends at the first tree that it cannot read."""
    git, variables = workspace.repository, workspace.environment.variables
    while tip and (found := gaps(git, kind, tip, variables)):
        if not drop_unreadable(git.common_dir, found.oids):
            return


def _from_remote(workspace: Workspace, ref: str) -> Iterator[str]:
    git, chosen = workspace.repository, workspace.chosen
    remote = remote_of(git, chosen) if chosen else None
    if remote is None or ref not in remote.refs:
        return
    line = Line(workspace.environment.variables, _PATIENCE)
    for each, commit in bring_all(git, remote, line).items():
        name = remote.tracking(each)
        git.update_ref(name, git.resolve_ref(name), commit, "doctor: fetched")
        yield f"all that {remote.name} has of {each} was fetched"


def _moved(workspace: Workspace, kind: type[DayTree]) -> Iterator[str]:
    ref = kind.ref
    if reason := out_of_reach(workspace.repository.common_dir):
        raise Damaged(f"{ref} stays as it is: {reason}.")
    time.sleep(_PAUSE)
    with locked(workspace.store.lock):
        if _is_well(workspace, kind):
            return  # `git gc` was at work
        tip = _tip(workspace, ref)
        states = states_of(workspace, kind, tip)
        whole = without_gaps(states, lambda one: _is_whole(workspace, kind, one))
        commit, found = _put_together(workspace, kind, states, whole)
        if kind is SessionTree:  # first: whoever is cut off has lost nothing
            count = take_back_older(
                workspace, SessionTree(workspace.repository, commit)
            )
            yield f"{counted(count, 'journal')} to be gone through again"
        _move(workspace, ref, tip, commit)
        _drop_moves(workspace, ref)
    yield from _told(ref, tip, commit, found)
    if kind is SessionTree:
        yield from replayed(workspace)


def _put_together(
    workspace: Workspace, kind: type[DayTree], states: States, whole: Oid | None
) -> tuple[Oid | None, Salvage]:
    """The commit for the ref, and what could not be read; None where there is none."""
    git = workspace.repository
    found = salvaged(git, whole, states.readable)
    if not found.changes:
        return whole, found
    base = git.tree_of(whole) if whole else None
    tree = git.write_tree(base, found.changes)
    message, by = redact_own(f"{_SUBJECT}\n"), author(git, workspace.now())
    commit = git.create_commit(tree, [whole] if whole else [], message, by)
    kind(git, commit)  # raises Damaged where it cannot be read
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
    moves = git.reflog(ref) if git.resolve_ref(ref) else []
    some = (moves[at : at + _AT_ONCE] for at in range(0, len(moves), _AT_ONCE))
    if any(missing_objects(git, each, variables) for each in some):
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


def _told(
    ref: str, tip: Oid | None, commit: Oid | None, found: Salvage
) -> Iterator[str]:
    at = f"at {commit[:12]}" if commit else "gone"
    yield f"{ref} is {at}" + (f", and was at {tip}" if tip else "")
    for what, paths in (
        ("an earlier state was taken of", found.older),
        ("no state can be read of", found.lost),
    ):
        if paths:
            yield f"{what} {', '.join(map(_shown, paths))}"


def _shown(path: str) -> str:
    """The id of a session by the path of its text; other paths as they are."""
    stem = PurePosixPath(path).stem
    return stem if is_session_id(stem) else path
