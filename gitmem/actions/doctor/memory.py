"""Checks of the repository: our refs, and every object that they lead to.

Git walks the whole history, but does not read the blobs; so the documents of now are
read here.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from gitmem.actions.doctor.finding import FIX, Code, Finding, ok, problem, warning
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION
from gitmem.errors import Damaged, FormatTooNew, Unavailable
from gitmem.git.config import is_on
from gitmem.git.damage import missing_objects, symbolic_target
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

_NAMED = 5
"""Sessions that are named at most."""


def repository(workspace: Workspace) -> Iterator[Finding]:
    git = workspace.repository
    where = str(git.common_dir)
    kind = "a bare repository" if git.work_tree is None else "the repository"
    what = f"{workspace.project} is {kind} at {workspace.root}"
    yield ok(Code.REPOSITORY, what, where=where)
    if git.common_dir.stat().st_uid != os.getuid():
        what = "the repository belongs to another user, so hooks do nothing here"
        yield problem(Code.OWNER, what, "Work in a clone of your own.", where=where)


def sessions(workspace: Workspace) -> Iterator[Finding]:
    """Raises FormatTooNew, which becomes a finding like any other fault."""
    what = "no session has been saved yet"
    try:
        fault, mend = _fault(workspace, REF)
        memory = workspace.store.memory()
        if memory.commit:
            count = counted(sum(1 for _ in memory.ids()), "session")
            what = f"{count}, {REF} at {memory.commit[:12]}"
    except Damaged as error:
        fault, mend = error.message, _fix(REF)
    if fault:
        yield problem(Code.MEMORY, fault, mend, where=REF)
    else:
        yield ok(Code.MEMORY, what, where=REF)


def conversations(workspace: Workspace) -> Iterator[Finding]:
    """Nothing to report where none are kept."""
    said, ref = workspace.conversations, CONVERSATIONS_REF
    fault, mend = _fault(workspace, ref)
    if fault or not said.is_readable():
        what = "conversations cannot be read, and searches go on without them"
        yield warning(Code.CONVERSATIONS, what, mend, where=ref)
    elif said.commit:
        what = f"conversations are kept, {ref} at {said.commit[:12]}"
        yield ok(Code.CONVERSATIONS, what, where=ref)


def objects(workspace: Workspace) -> Iterator[Finding]:
    git, variables = workspace.repository, workspace.environment.variables
    if is_partial(git):
        return  # what is missing there was promised by a remote
    is_whole = True
    for kind in KINDS.values():
        try:
            commit = _commit_at(git, kind.ref)
            missing = gaps(git, kind, commit, variables) if commit else None
        except (Damaged, FormatTooNew):  # reported of the ref itself
            is_whole = False
            continue
        if commit and missing:
            is_whole = False
            what = f"{counted(len(missing), 'object')} of {kind.ref} cannot be read"
            if ids := sorted(dict(_unreadable(git, kind, commit))):
                noun = "" if kind is SESSION else f"the {kind.name} of "
                what = f"{what}: {noun}{listed(ids, _NAMED)}"
            yield problem(Code.OBJECTS, what, FIX, kind.ref, kind.ref)
    if is_whole:
        yield ok(Code.OBJECTS, "no object of the memory is missing")


def gaps(
    git: Repository, kind: Kind[Any], commit: Oid, variables: Mapping[str, str]
) -> frozenset[Oid]:
    """The objects that are missing of all that leads to a commit of ours.

    `variables` are the environment of the user. Raises FormatTooNew, and Unavailable
    where git does not run or takes too long.
    """
    unreadable = {oid for _, oid in _unreadable(git, kind, commit)}
    return missing_objects(git, [commit], variables) | unreadable


def is_partial(git: Repository) -> bool:
    """Whether a remote has promised to have what is missing here."""
    is_promised = any(is_on(git, f"remote.{each}.promisor") for each in git.remotes())
    return is_promised or git.config("extensions.partialClone") is not None


def is_lost(workspace: Workspace, ref: str) -> bool:
    """Whether the ref is not there, though it was, as far as anybody knows.

    When git deletes a ref, its reflog goes as well. Raises Damaged for one that names
    nothing.
    """
    git, journal = workspace.repository, workspace.store.journal
    if git.resolve_ref(ref):
        return False
    if git.reflog(ref):
        return True
    marks = map(journal.position_of, journal.names() if ref == REF else ())
    return any(mark.document_id for mark in marks)


def _fault(workspace: Workspace, ref: str) -> tuple[str, str]:
    """What is wrong with the ref itself, if anything is, and the way to mend it."""
    git, variables = workspace.repository, workspace.environment.variables
    with suppress(Unavailable):  # reported of the versions
        if target := symbolic_target(git, ref, variables):
            mend = f"`git update-ref --no-deref {ref} {target}` makes it a ref again."
            return f"{ref} is a link to {target}, and nothing can be saved", mend
    try:
        fault = f"{ref} is not there any more" if is_lost(workspace, ref) else ""
    except Damaged as error:
        fault = error.message
    return fault, _fix(ref)


def _fix(ref: str) -> str:
    return f"{FIX} `git reflog {ref}` lists earlier states."


def _commit_at(git: Repository, ref: str) -> Oid | None:
    """Raises Damaged where the ref leads to no commit."""
    commit = git.resolve_ref(ref)
    if commit and git.tree_of(commit) is None:
        raise Damaged(f"{ref} leads to no commit.")
    return commit


def _unreadable(
    git: Repository, kind: Kind[Any], commit: Oid
) -> Iterator[tuple[str, Oid]]:
    """Sessions with the texts of theirs that are not there; of folders, none."""
    with suppress(Damaged):
        tree = DocumentTree(kind, git, commit)
        for session_id in tree.ids():
            entry = tree.entry(session_id)
            if entry and not _is_there(git, entry.oid):
                yield session_id, entry.oid


def _is_there(git: Repository, blob: Oid) -> bool:
    try:
        return git.blob_size(blob) >= 0
    except Damaged:
        return False
