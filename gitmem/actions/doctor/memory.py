"""Checks of the memory: the repository, our refs, their objects, and lost sessions.

Git walks the whole history without reading blobs, so present documents are read here.
A session is lost if the journal, history, a backup or the reflog has it, the memory
does not, and nobody forgot it.
"""

import os
from collections.abc import (
    Collection,
    Container,
    Iterable,
    Iterator,
    Sequence,
)
from contextlib import suppress
from typing import Any

from gitmem.actions.doctor.finding import FIX, Code, Finding, ok, problem, warning
from gitmem.documents.event import first_event
from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS, SESSION, refs
from gitmem.documents.session.checkpoint import apply, without_facts
from gitmem.documents.session.record import records_in
from gitmem.errors import Damaged, FormatTooNew, Unavailable
from gitmem.git.damage import (
    BRING_LEFT_OUT,
    left_out,
    missing_objects,
    symbolic_target,
)
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.journal.journal import Entry, Journal
from gitmem.store.lock import locked
from gitmem.store.removed_words import journals_with_removed_words
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.document_tree import DocumentTree
from gitmem.store.trees.lost_sessions import Lost, lost
from gitmem.store.trees.ref_losses import ref_losses
from gitmem.store.trees.session_tree import (
    REF,
    SessionTree,
    is_conversation_forgotten,
    of_conversation,
)
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

_NAMED = 5
_MOST_LISTED = 20
RESTORE = "`ocm restore` names what can be brought back, and asks."


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
    said, ref = workspace.conversations, CONVERSATIONS_REF
    fault, mend = _fault(workspace, ref)
    if fault or not said.is_readable():
        what = "conversations cannot be read, and searches go on without them"
        yield warning(Code.CONVERSATIONS, what, mend, where=ref)
    elif said.commit:
        what = f"conversations are kept, {ref} at {said.commit[:12]}"
        yield ok(Code.CONVERSATIONS, what, where=ref)


def objects(workspace: Workspace) -> Iterator[Finding]:
    git = workspace.repository
    if git.is_partial:  # what is missing there was promised by a remote
        if what := left_out(git, refs()):
            yield problem(Code.OBJECTS, what, BRING_LEFT_OUT)
        return
    is_whole = True
    for kind in KINDS.values():
        try:
            commit = _commit_at(git, kind.ref)
            missing = gaps(git, kind, commit) if commit else None
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


def gaps(git: Repository, kind: Kind[Any], commit: Oid) -> frozenset[Oid]:
    """Return the missing objects of a commit's history.

    Raises FormatTooNew, and Unavailable where git does not run or takes too long.
    """
    unreadable = {oid for _, oid in _unreadable(git, kind, commit)}
    return missing_objects(git, [commit]) | unreadable


def changed_refs(workspace: Workspace) -> Iterator[Finding]:
    for loss in ref_losses(workspace.repository):
        yield problem(Code.VANISHED, str(loss), RESTORE, loss.ref, loss.ref)


def removed_words(workspace: Workspace) -> Iterator[Finding]:
    names = journals_with_removed_words(workspace.repository)
    if ids := _sessions_of(workspace.store.journal, names):
        what = _named(ids, "with words in the journal that a rewrite removed")
        mend = "`ocm scan --fix` deletes these journals; what they said is committed."
        yield warning(Code.JOURNAL, what, mend, "removed")


def vanished(workspace: Workspace) -> Iterator[Finding]:
    try:
        memory = workspace.store.memory()
    except (Damaged, FormatTooNew):
        return  # reported of the memory itself
    if memory.commit is None:
        return
    journal = workspace.store.journal
    losses = ref_losses(workspace.repository)  # reported of the refs
    dropped = {each for loss in losses for each in loss.dropped}
    here = _sessions_of(journal, journals_of_vanished(workspace, memory)) - dropped
    if here:
        what = _named(here, "lack what the journal has of them")
        yield problem(Code.VANISHED, what, RESTORE)
    with suppress(Damaged):  # reported of the objects
        found = [o for o in lost(workspace.repository, memory) if not o.is_forgotten]
        found = [one for one in found if one.session_id not in here | dropped]
        yield from _of_earlier_states(found)


def journals_of_vanished(workspace: Workspace, memory: SessionTree) -> list[str]:
    """Return the journals with lost checkpoints; archives keep none."""
    journal = workspace.store.journal
    return [
        name
        for name in journal.names()
        if journal.past.get(name) is None
        and journal.position_of(name).offset
        and (_is_gone(memory, journal, name) or _is_behind(memory, journal, name))
    ]


def mark_for_replay(
    workspace: Workspace, memory: SessionTree, only: Container[str] | None = None
) -> list[str]:
    """Have the journals of what `memory` lacks replayed; return their names.

    `only` limits it to these ids. The caller holds the store's lock.
    """
    journal, names = workspace.store.journal, list[str]()
    for name in journals_of_vanished(workspace, memory):
        session_id = journal.position_of(name).document_id
        if only is None or session_id in only:
            journal.mark(Entry(name, "", 0), session_id)
            names.append(name)
    return names


def replayed_again(
    workspace: Workspace, only: Container[str] | None = None
) -> list[str]:
    """Replay the journals of lost sessions; return the ids of those restored."""
    with locked(workspace.store.lock):
        names = mark_for_replay(workspace, workspace.store.memory(), only)
    workspace.store.replay()
    memory, journal = workspace.store.memory(), workspace.store.journal
    ids = filter(None, (journal.position_of(name).document_id for name in names))
    return [session_id for session_id in ids if memory.entry(session_id)]


def _fault(workspace: Workspace, ref: str) -> tuple[str, str]:
    """Return what is wrong with the ref, "" for nothing, and how to repair it."""
    with suppress(Unavailable):  # reported of the versions
        if target := symbolic_target(workspace.repository, ref):
            mend = f"`git update-ref --no-deref {ref} {target}` makes it a ref again."
            return (
                f"{ref} is a symbolic ref to {target}, and nothing can be saved",
                mend,
            )
    try:
        workspace.repository.resolve_ref(ref)
    except Damaged as error:
        return error.message, _fix(ref)
    return "", _fix(ref)


def _fix(ref: str) -> str:
    return f"{FIX} `git reflog {ref}` lists earlier states."


def _commit_at(git: Repository, ref: str) -> Oid | None:
    commit = git.resolve_ref(ref)
    if commit and git.tree_of(commit) is None:
        raise Damaged(f"{ref} leads to no commit.")
    return commit


def _unreadable(
    git: Repository, kind: Kind[Any], commit: Oid
) -> Iterator[tuple[str, Oid]]:
    """Yield ids and blobs of the documents whose blobs are missing."""
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


def _named(ids: Collection[str], how: str) -> str:
    named = listed(sorted(ids), _MOST_LISTED)
    return f"{counted(len(ids), 'session')} {how}: {named}"


def _sessions_of(journal: Journal, names: Iterable[str]) -> set[str]:
    return {journal.position_of(name).document_id or "" for name in names}


def _of_earlier_states(found: Sequence[Lost]) -> Iterator[Finding]:
    gone = [one for one in found if not one.is_here]
    for source in dict.fromkeys(one.source for one in gone):
        ids = [one.session_id for one in gone if one.source is source]
        what = _named(ids, f"that the {source} has are gone")
        yield problem(Code.VANISHED, what, RESTORE, source)
    if ids := [one.session_id for one in found if one.is_here]:
        what = _named(ids, "lack what earlier states have")
        yield warning(Code.VANISHED, what, RESTORE, "shortened")


def _is_gone(memory: SessionTree, journal: Journal, name: str) -> bool:
    """Tell whether its session is gone: not forgotten, not renamed by a merge."""
    marked, lines = journal.position_of(name).document_id, journal.lines(name)
    if marked is None or memory.entry(marked) or is_forgotten(memory, marked):
        return False
    first = first_event(lines) or next(records_in(lines), None)
    if first is None or is_conversation_forgotten(
        memory, first.tool, first.client_session_id
    ):
        return False
    return of_conversation(memory, first.client_session_id, marked[:10]) is None


def _is_behind(memory: SessionTree, journal: Journal, name: str) -> bool:
    """Tell whether its last checkpoint, by its time, was never applied."""
    mark = journal.position_of(name)
    session = memory.readable(mark.document_id) if mark.document_id else None
    lines = [each.line for each in journal.entries(name) if 0 < each.end <= mark.offset]
    last = next(records_in(reversed(lines)), None)
    if session is None or last is None or last.checkpoint.at <= session.updated_at:
        return False
    return apply(session, without_facts(last.checkpoint)) != session
