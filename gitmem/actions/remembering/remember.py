"""Remembering: a statement becomes a memory, or part of one that is there."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from gitmem.actions.any_kind import current, current_store, id_named
from gitmem.actions.remembering.keeping import Action, Keeping, SavedMemory, Tree
from gitmem.actions.remembering.places import place_of, places
from gitmem.actions.remembering.similar import Similar, known_by, similar
from gitmem.actions.remembering.statement import (
    BRANCH,
    PROJECT,
    SESSION,
    NewMemory,
    parse_statement,
)
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.actions.saving.request import Request
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import (
    CONFIDENCE,
    IMPORTANCE,
    Category,
    Memory,
    MemoryFile,
    MemoryStatus,
    Relate,
    allowed,
    ids_of,
    same_words,
)
from gitmem.errors import Damaged, InvalidInput, NotFound
from gitmem.store.journal.journal import journal_name
from gitmem.store.trees.committing import moment_after_commit
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.workspace import Workspace

_OF_SESSION = timedelta(days=30)
"""How long a memory of a conversation holds that may go on."""


def remember(workspace: Workspace, statement: NewMemory, source: str) -> SavedMemory:
    """Keep a statement; when this returns, it is on the disk.

    `source` names who says it: `session:<id>`, `person:<name>`, `file:<digest>`. Raises
    NotFound and Ambiguous for what it replaces, and InvalidInput where that is no
    active memory.
    """
    statement = _inheriting(workspace, statement)
    place = place_of(workspace, statement.scope).workspace
    store = current_store(place, MEMORY)
    tree = store.memory()
    now = moment_after_commit(place.repository, tree.commit, place.now())
    made, unknown = _memory(workspace, statement, source, now)
    same = _with_same_words(tree, made)
    keeping = Keeping(store, tree, made, statement, same)
    known = None
    if statement.replaces:
        known = _replaced(place, tree, statement.replaces, made)
    if known and not (same and same.id == known.id):
        kept = keeping.related(known, allowed(statement.relation, known))
    elif not same and (holder := _holder(place, made)):
        kept = keeping.instead_of(holder)
    else:
        found = tuple(similar(place, made))
        denied_at = _denied_at(found)
        later = max(made.updated_at, denied_at + timedelta(seconds=1))
        keeping = replace(keeping, made=replace(made, updated_at=later))
        if same:
            kept = keeping.added_to(same, is_anew=denied_at >= same.updated_at)
        else:
            kept = SavedMemory(keeping.created(), Action.CREATED, found)
    return replace(kept, unknown_files=unknown)


def remember_in_conversation(
    workspace: Workspace, arguments: Mapping[str, Any], caller: Caller
) -> SavedMemory:
    """Keep what an assistant says in a conversation of its own.

    Raises InvalidInput for the arguments, and as `remember` does.
    """
    workspace.current_sessions()
    conversation = conversation_of(workspace, Request(), caller)
    client_id = conversation.client_session_id
    is_known = conversation.session or workspace.store.journal.lines(
        journal_name(client_id)
    )
    source = f"session:{client_id}" if is_known else f"tool:{conversation.tool}"
    return remember(workspace, parse_statement(arguments, workspace.now()), source)


def _memory(
    workspace: Workspace, said: NewMemory, source: str, now: datetime
) -> tuple[Memory, tuple[str, ...]]:
    """The statement as a memory that is not kept yet, and files that nobody knows."""
    kind = said.kind or Category.FACT
    session = source if source.startswith(f"{SESSION}:") else None  # as no branch does
    here = {BRANCH: workspace.repository.head().branch, SESSION: session}
    branch = here.get(said.scope, "")
    if branch is None:
        raise InvalidInput(
            f"No {said.scope} is known here for the scope `{said.scope}`.",
            hint="Check out a branch, save a checkpoint, or take another scope.",
        )
    files, unknown = files_at_head(workspace, said.files)
    importance, confidence = said.importance, said.confidence
    made = Memory(
        id="",
        text=said.text,
        kind=kind,
        key=said.key,
        why=said.why,
        branch=branch,
        pinned=bool(said.pinned),
        importance=IMPORTANCE.get(kind, 0.5) if importance is None else importance,
        confidence=CONFIDENCE.get(kind, 0.8) if confidence is None else confidence,
        expires=said.expires or (now + _OF_SESSION if said.scope == SESSION else None),
        created_at=now,
        updated_at=now,
        author=workspace.store.author(now).who,
        facts=said.facts,
        tags=said.tags,
        files=files,
        sources=(source,),
    )
    return made, unknown


def files_at_head(
    workspace: Workspace, paths: Sequence[str]
) -> tuple[tuple[MemoryFile, ...], tuple[str, ...]]:
    """Return the files as HEAD has them, and those that are nowhere."""
    git = workspace.repository
    head, root = git.head().commit, git.work_tree
    with suppress(Damaged):
        blobs = git.blobs(head, paths) if head and paths else {}
        known = [
            path
            for path in paths
            if path in blobs or (root and ".." not in path and (root / path).is_file())
        ]
        files = tuple(MemoryFile(path, blobs.get(path, "")) for path in known)
        return files, tuple(path for path in paths if path not in known)
    return (), tuple(paths)


def _inheriting(workspace: Workspace, said: NewMemory) -> NewMemory:
    """Return a replacement with what it leaves open, as the replaced memory has it."""
    scope = None if said.scope == PROJECT else said.scope
    for place in places(workspace, scope, []) if said.replaces else ():
        with suppress(NotFound):
            tree = current(place.workspace, MEMORY)
            name = id_named(place.workspace, MEMORY, tree, said.replaces or "")
            if known := tree.readable(name):
                return _with_what_is_known(said, known, place.scope)
    return said


def _with_what_is_known(said: NewMemory, known: Memory, scope: str) -> NewMemory:
    placed = replace(said, scope=known.scope or scope)
    if allowed(said.relation, known) is not Relate.SUPERSEDE:
        return placed
    return replace(
        placed,
        kind=said.kind or known.kind,
        key=said.key or known.key,
        files=said.files or tuple({file.path for file in known.files}),
    )


def _replaced(place: Workspace, tree: Tree, name: str, made: Memory) -> Memory:
    """The active memory of that name. Raises NotFound, Ambiguous, InvalidInput."""
    try:
        document_id = id_named(place, MEMORY, tree, name)
    except NotFound as error:
        if like := [each.memory.id for each in similar(place, made)]:
            error.hint = f"Memories like it: {', '.join(like)}."
        raise
    known = tree.document(document_id)
    if known is None or known.status is not MemoryStatus.ACTIVE:
        raise InvalidInput(
            f"{document_id} was replaced already.",
            hint=f"`ocm show {document_id}` says by what.",
        )
    return known


def _denied_at(found: Iterable[Similar]) -> datetime:
    """Return when the newest memory was stated that a new one contradicts."""
    denying = (hit.memory.updated_at for hit in found if hit.is_opposite)
    return max(denying, default=datetime.min.replace(tzinfo=UTC))


def _with_same_words(tree: Tree, made: Memory) -> Memory | None:
    """The active memory that says the same in the same words."""
    said = same_words(made.text), made.branch
    for document_id in ids_of(made.text, made.branch):
        known = tree.readable(document_id)
        is_same = known and (same_words(known.text), known.branch) == said
        if known and is_same and known.status is MemoryStatus.ACTIVE:
            return known
        if known is None and not is_forgotten(tree, document_id):
            break
    return None


def _holder(place: Workspace, made: Memory) -> Memory | None:
    """The active memory with a key; of two, which clones made, the smaller id."""
    if not made.key:
        return None
    known = known_by(place, lambda index: index.lookup(made.key, MEMORY.name))
    active = (each for each in known if each.status is MemoryStatus.ACTIVE)
    sought = made.key, made.branch
    held = (each for each in active if (each.key, each.branch) == sought)
    return min(held, key=lambda each: each.id, default=None)
