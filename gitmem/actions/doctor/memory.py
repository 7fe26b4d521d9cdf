"""Checks of the memory: the repository, our refs, their objects, and lost sessions.

Git walks the whole history without reading blobs, so present documents are read here.
A session is lost if the journal, history, a backup or the reflog has it, the memory
does not, and nobody forgot it.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Any

from gitmem.actions.doctor.finding import FIX, Code, Finding, ok, problem, warning
from gitmem.actions.restoring import all_lost
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION, refs
from gitmem.errors import Damaged, FormatTooNew, Unavailable
from gitmem.git.damage import BRING_LEFT_OUT, left_out, missing_objects, symbolic_target
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.document_tree import DocumentTree, tree_at_tip
from gitmem.store.trees.document_versions import VersionSource
from gitmem.store.trees.ref_losses import ref_losses
from gitmem.store.trees.salvage import is_readable
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted, shortlist
from gitmem.workspace import Workspace

_NAMED = 5
_MOST_LISTED = 20
RESTORE = "`ocm restore` names what can be brought back, and asks."


def repository(workspace: Workspace) -> Iterator[Finding]:
    git = workspace.repository
    location = str(git.common_dir)
    kind = "a bare repository" if git.work_tree is None else "the repository"
    message = f"{workspace.project} is {kind} at {workspace.root}"
    yield ok(Code.REPOSITORY, message, location=location)
    if git.common_dir.stat().st_uid != os.getuid():
        message = "the repository belongs to another user, so hooks do nothing here"
        yield problem(
            Code.OWNER, message, "Work in a clone of your own.", location=location
        )


def sessions(workspace: Workspace) -> Iterator[Finding]:
    message = "no session has been saved yet"
    try:
        fault, remedy = _fault(workspace, REF)
        memory = workspace.store.memory()
        if memory.commit:
            count = counted(sum(1 for _ in memory.ids()), "session")
            message = f"{count}, {REF} at {memory.commit[:12]}"
    except Damaged as error:
        fault, remedy = error.message, _fix(REF)
    if fault:
        yield problem(Code.MEMORY, fault, remedy, location=REF)
    else:
        yield ok(Code.MEMORY, message, location=REF)


def conversations(workspace: Workspace) -> Iterator[Finding]:
    ref, commit = CONVERSATIONS_REF, None
    fault, remedy = _fault(workspace, ref)
    try:
        commit = None if fault else workspace.conversations.commit
    except (Damaged, FormatTooNew) as error:
        fault = error.message
    if fault:
        message = "conversations cannot be read, and searches go on without them"
        yield warning(Code.CONVERSATIONS, message, remedy, location=ref)
    elif commit:
        message = f"conversations are kept, {ref} at {commit[:12]}"
        yield ok(Code.CONVERSATIONS, message, location=ref)


def objects(workspace: Workspace) -> Iterator[Finding]:
    git = workspace.repository
    if git.is_partial:  # what is missing there was promised by a remote
        if message := left_out(git, refs()):
            yield problem(Code.OBJECTS, message, BRING_LEFT_OUT)
        return
    is_whole = True
    for kind in KINDS.values():
        try:
            commit = tree_at_tip(kind, git).commit
            missing = gaps(git, kind, commit) if commit else None
        except (Damaged, FormatTooNew):  # reported of the ref itself
            is_whole = False
            continue
        if commit and missing:
            is_whole = False
            message = f"{counted(len(missing), 'object')} of {kind.ref} cannot be read"
            if ids := sorted(dict(_unreadable(git, kind, commit))):
                noun = "" if kind is SESSION else f"the {kind.name} of "
                message = f"{message}: {noun}{shortlist(ids, _NAMED)}"
            yield problem(Code.OBJECTS, message, FIX, kind.ref, kind.ref)
    if is_whole:
        yield ok(Code.OBJECTS, "no object of the memory is missing")


def gaps(git: Repository, kind: Kind[Any], commit: Oid) -> frozenset[Oid]:
    """Return the missing objects of a commit's history.

    Raises FormatTooNew, and Unavailable where git does not run or takes too long.
    """
    unreadable = {oid for _, oid in _unreadable(git, kind, commit)}
    return missing_objects(git, [commit]) | unreadable


def changed_refs(workspace: Workspace) -> Iterator[Finding]:
    for loss in ref_losses(workspace.repository):
        yield problem(Code.VANISHED, str(loss), RESTORE, loss.ref, loss.ref)


def vanished(workspace: Workspace) -> Iterator[Finding]:
    dropped = {id_ for loss in ref_losses(workspace.repository) for id_ in loss.dropped}
    groups: dict[tuple[VersionSource, bool], list[str]] = defaultdict(list)
    with suppress(Damaged, FormatTooNew):  # reported of the memory, or of the objects
        memory = workspace.store.memory()
        for loss in all_lost(workspace, memory) if memory.commit else ():
            if not (loss.is_forgotten or loss.session_id in dropped):
                groups[loss.source, loss.is_here].append(loss.session_id)
    for (source, is_here), ids in groups.items():
        if is_here:
            message = _named_sessions(ids, f"lack what the {source} has of them")
            grade = problem if source is VersionSource.JOURNAL else warning
            yield grade(Code.VANISHED, message, RESTORE, f"{source}-more")
        else:
            message = _named_sessions(ids, f"that the {source} has are gone")
            yield problem(Code.VANISHED, message, RESTORE, source)


def _fault(workspace: Workspace, ref: str) -> tuple[str, str]:
    """Return what is wrong with the ref, "" for nothing, and how to repair it."""
    with suppress(Unavailable):  # reported of the versions
        if target := symbolic_target(workspace.repository, ref):
            remedy = f"`git update-ref --no-deref {ref} {target}` makes it a ref again."
            return (
                f"{ref} is a symbolic ref to {target}, and nothing can be saved",
                remedy,
            )
    try:
        workspace.repository.resolve_ref(ref)
    except Damaged as error:
        return error.message, _fix(ref)
    return "", _fix(ref)


def _fix(ref: str) -> str:
    return f"{FIX} `git reflog {ref}` lists earlier states."


def _unreadable(
    git: Repository, kind: Kind[Any], commit: Oid
) -> Iterator[tuple[str, Oid]]:
    """Yield ids and blobs of the documents whose blobs are missing."""
    with suppress(Damaged):
        tree = DocumentTree(kind, git, commit)
        for session_id in tree.ids():
            entry = tree.entry(session_id)
            if entry and not is_readable(git, entry.oid):
                yield session_id, entry.oid


def _named_sessions(ids: Collection[str], condition: str) -> str:
    names = shortlist(sorted(ids), _MOST_LISTED)
    return f"{counted(len(ids), 'session')} {condition}: {names}"
