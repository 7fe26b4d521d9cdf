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
from gitmem.documents.kinds import CONVERSATION, KINDS, SESSION, refs
from gitmem.errors import Damaged, FormatTooNew, Unavailable
from gitmem.git.damage import BRING_LEFT_OUT, left_out, missing_objects, symbolic_target
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.document_tree import DocumentTree, tree_at_tip
from gitmem.store.trees.document_versions import VersionSource
from gitmem.store.trees.ref_losses import ref_losses
from gitmem.store.trees.salvage import is_readable
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


def kinds(workspace: Workspace) -> Iterator[Finding]:
    """Check the ref of each kind of documents, and the tree that it leads to."""
    for kind in KINDS.values():
        is_said = kind is CONVERSATION
        code = Code.CONVERSATIONS if is_said else Code.MEMORY
        report = warning if is_said else problem  # searches go on without
        fault, remedy = _symbolic(workspace.repository, kind.ref)
        try:
            tree = tree_at_tip(kind, workspace.repository)
            count = counted(sum(1 for _ in tree.ids()), kind.name)
        except (Damaged, FormatTooNew) as error:
            fault = fault or error.message
            remedy = remedy or _remedy(error, kind.ref)
            yield report(code, fault, remedy, location=kind.ref)
            continue
        if fault:
            yield report(code, fault, remedy, location=kind.ref)
        elif tree.commit or kind is SESSION:
            at = f", {kind.ref} at {tree.commit[:12]}" if tree.commit else ""
            yield ok(code, f"{count}{at}", location=kind.ref)


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


def _symbolic(git: Repository, ref: str) -> tuple[str, str]:
    """Return what is wrong with a ref that is a symbolic one, and how to repair it."""
    target = None
    with suppress(Unavailable):  # reported of the versions
        target = symbolic_target(git, ref)
    if target is None:
        return "", ""
    remedy = f"`git update-ref --no-deref {ref} {target}` makes it a ref again."
    return f"{ref} is a symbolic ref to {target}, and nothing can be saved", remedy


def _remedy(error: Damaged | FormatTooNew, ref: str) -> str:
    if isinstance(error, FormatTooNew):
        return error.hint or ""
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
