"""Remembering: a statement becomes a memory, or part of one that is there."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from gitmem.actions.remembering.keeping import Action, Keeping, SavedMemory, Tree
from gitmem.actions.remembering.places import place_of, places
from gitmem.actions.remembering.similar import (
    Similar,
    known_by,
    near_in_meaning,
    similar,
)
from gitmem.actions.remembering.statement import (
    BRANCH,
    PROJECT,
    SESSION,
    NewMemory,
    parse_statement,
)
from gitmem.actions.saving.conversation import Caller, conversation_of
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
from gitmem.lookup import find
from gitmem.store.journal.journal import journal_name
from gitmem.store.trees.committing import moment_after_commit, present_branch
from gitmem.store.trees.tombstones import is_forgotten
from gitmem.workspace import Workspace

_OF_SESSION = timedelta(days=30)
"""How long a memory of a conversation holds that may go on."""


def remember(
    workspace: Workspace, statement: NewMemory, source: str, *, by_meaning: bool = False
) -> SavedMemory:
    """Keep a statement; when this returns, it is on the disk.

    `source` names who says it: `session:<id>`, `person:<name>`, `file:<digest>`. With
    `by_meaning` those near in meaning are similar, too, where the user installed a
    model. Raises NotFound and Ambiguous for what it replaces, and InvalidInput where
    that is no active memory.
    """
    statement = _inheriting(workspace, statement)
    place = place_of(workspace, statement.scope).workspace
    tree, store = place.current(MEMORY), place.store_of(MEMORY)
    now = moment_after_commit(place.repository, tree.commit, place.now())
    new, unknown = new_memory(workspace, statement, source, now)
    same = _with_same_words(tree, new)
    keeping = Keeping(store, tree, new, statement, same)
    replaced = None
    if statement.replaces:
        replaced = _replaced(place, statement.replaces, new)
    if replaced and not (same and same.id == replaced.id):
        saved = keeping.related(replaced, allowed(statement.relation, replaced))
    elif not same and (holder := _holder(place, new)):
        saved = keeping.instead_of(holder)
    else:
        likenesses = tuple(similar(place, new))
        denied_at = _denied_at(likenesses)
        later = max(new.updated_at, denied_at + timedelta(seconds=1))
        keeping = replace(keeping, statement=replace(new, updated_at=later))
        if same:
            saved = keeping.added_to(same, is_anew=denied_at >= same.updated_at)
        else:
            ids = [likeness.memory.id for likeness in likenesses]
            near = near_in_meaning(place, tree, new, ids) if by_meaning else ()
            likenesses = (*likenesses, *near)
            saved = SavedMemory(keeping.created(), Action.CREATED, likenesses)
    return replace(saved, unknown_files=unknown)


def remember_in_conversation(
    workspace: Workspace, arguments: Mapping[str, Any], caller: Caller
) -> SavedMemory:
    """Keep what an assistant says in a conversation of its own.

    Raises InvalidInput for the arguments, and as `remember` does.
    """
    workspace.current_sessions()
    conversation = conversation_of(workspace, caller)
    client_id = conversation.client_session_id
    is_known = conversation.session or workspace.store.journal.lines(
        journal_name(client_id)
    )
    source = f"session:{client_id}" if is_known else f"tool:{conversation.tool}"
    statement = parse_statement(arguments, workspace.now())
    return remember(workspace, statement, source, by_meaning=True)


def new_memory(
    workspace: Workspace, request: NewMemory, source: str, now: datetime
) -> tuple[Memory, tuple[str, ...]]:
    """Return a statement as a memory without an id, and files that nobody knows."""
    kind = request.kind or Category.FACT
    session = source if source.startswith(f"{SESSION}:") else None  # as no branch does
    scope_values = {BRANCH: present_branch(workspace.repository), SESSION: session}
    branch = scope_values.get(request.scope, "")
    if branch is None:
        raise InvalidInput(
            f"No {request.scope} is known here for the scope `{request.scope}`.",
            hint="Check out a branch, save a checkpoint, or take another scope.",
        )
    files, unknown = files_at_head(workspace, request.files)
    importance, confidence = request.importance, request.confidence
    memory = Memory(
        id="",
        text=request.text,
        kind=kind,
        key=request.key,
        why=request.why,
        branch=branch,
        pinned=bool(request.pinned),
        importance=IMPORTANCE.get(kind, 0.5) if importance is None else importance,
        confidence=CONFIDENCE.get(kind, 0.8) if confidence is None else confidence,
        expires=request.expires
        or (now + _OF_SESSION if request.scope == SESSION else None),
        created_at=now,
        updated_at=now,
        author=workspace.store.author(now).who,
        facts=request.facts,
        tags=request.tags,
        files=files,
        sources=(source,),
    )
    return memory, unknown


def files_at_head(
    workspace: Workspace, paths: Sequence[str]
) -> tuple[tuple[MemoryFile, ...], tuple[str, ...]]:
    """Return the files as HEAD has them, and those that are nowhere."""
    git = workspace.repository
    head, root = git.head().commit, git.work_tree
    with suppress(Damaged):
        blobs = git.blobs(head, paths) if head and paths else {}
        known_files = [
            path
            for path in paths
            if path in blobs or (root and ".." not in path and (root / path).is_file())
        ]
        files = tuple(MemoryFile(path, blobs.get(path, "")) for path in known_files)
        return files, tuple(path for path in paths if path not in known_files)
    return (), tuple(paths)


def _inheriting(workspace: Workspace, request: NewMemory) -> NewMemory:
    """Return a replacement with what it leaves open, as the replaced memory has it."""
    scope = None if request.scope == PROJECT else request.scope
    for place in places(workspace, scope, []) if request.replaces else ():
        with suppress(NotFound):
            memory = find(place.workspace, MEMORY, request.replaces or "")
            return _with_what_is_known(request, memory, place.scope)
    return request


def _with_what_is_known(request: NewMemory, memory: Memory, scope: str) -> NewMemory:
    placed = replace(request, scope=memory.scope or scope)
    if allowed(request.relation, memory) is not Relate.SUPERSEDE:
        return placed
    return replace(
        placed,
        kind=request.kind or memory.kind,
        key=request.key or memory.key,
        files=request.files or tuple({file.path for file in memory.files}),
    )


def _replaced(place: Workspace, name: str, new: Memory) -> Memory:
    """The active memory of that name. Raises NotFound, Ambiguous, InvalidInput."""
    try:
        replaced = find(place, MEMORY, name)
    except NotFound as error:
        if like := [likeness.memory.id for likeness in similar(place, new)]:
            error.hint = f"Memories like it: {', '.join(like)}."
        raise
    if replaced.status is not MemoryStatus.ACTIVE:
        raise InvalidInput(
            f"{replaced.id} was replaced already.",
            hint=f"`ocm show {replaced.id}` says by what.",
        )
    return replaced


def _denied_at(likenesses: Iterable[Similar]) -> datetime:
    """Return when the newest memory was stated that a new one contradicts."""
    denying = (hit.memory.updated_at for hit in likenesses if hit.is_opposite)
    return max(denying, default=datetime.min.replace(tzinfo=UTC))


def _with_same_words(tree: Tree, new: Memory) -> Memory | None:
    """The active memory that says the same in the same words."""
    words = same_words(new.text), new.branch
    for document_id in ids_of(new.text, new.branch):
        memory = tree.readable(document_id)
        is_same = memory and (same_words(memory.text), memory.branch) == words
        if memory and is_same and memory.status is MemoryStatus.ACTIVE:
            return memory
        if memory is None and not is_forgotten(tree, document_id):
            break
    return None


def _holder(place: Workspace, new: Memory) -> Memory | None:
    """The active memory with a key; of two, which clones made, the smaller id."""
    if not new.key:
        return None
    memories = known_by(place, lambda index: index.lookup(new.key, MEMORY.name))
    active = (memory for memory in memories if memory.status is MemoryStatus.ACTIVE)
    sought = new.key, new.branch
    holders = (memory for memory in active if (memory.key, memory.branch) == sought)
    return min(holders, key=lambda memory: memory.id, default=None)
