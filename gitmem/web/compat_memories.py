"""Memories as two other programs ask for them and show them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import Field

from gitmem.actions.remembering import named
from gitmem.actions.remembering.keeping import Action, SavedMemory
from gitmem.actions.remembering.memory_answers import shown_text
from gitmem.actions.remembering.recall import MOST, RecalledMemory, RecallQuery
from gitmem.actions.remembering.remember import remember as save_statement
from gitmem.actions.remembering.session_statements import recall_all
from gitmem.actions.remembering.statement import PROJECT, SESSION, USER, parse_statement
from gitmem.actions.saving.conversation import Caller
from gitmem.answers import Answer
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import MemoryStatus, Relate, confidence_of
from gitmem.documents.names import clean_client_id
from gitmem.errors import NotFound
from gitmem.redaction.redact import redact
from gitmem.search.documents import Match
from gitmem.store.recall_counts import recall_counts
from gitmem.store.trees.committing import configured_trust
from gitmem.text.markdown import line
from gitmem.workspace import Workspace

TOOL = "http"
"""The tool of what these calls save."""
_SPEAKER = f"tool:{TOOL}"
Scope = Literal["global", "project", "session"]
Limit = Annotated[int, Field(ge=1, le=MOST)]
Texts = tuple[str, ...]
_SCOPES = {"global": USER, "project": PROJECT, "session": SESSION}
_TYPES = {"fix": "error-solution", "failed": "failure", "discovery": "fact"}
"""Types by kinds that are none."""
_CATEGORIES = {
    "profile": "profile",
    "preference": "preferences",
    "architecture": "entities",
    **dict.fromkeys(("fix", "failed", "discovery"), "cases"),
    **dict.fromkeys(("pattern", "convention", "constraint"), "patterns"),
}
"""Categories by kind; "events" of others."""


def remember(  # noqa: PLR0913 - the names in the request
    place: Workspace,
    *,
    content: str,
    type: str | None = None,  # noqa: A002 - the name in the request
    scope: Scope = "project",
    tags: Texts = (),
    source: str = "",
    confidence: float | None = None,
) -> tuple[int, Answer]:
    """Remember a statement."""
    saved = _save(
        place,
        f"{SESSION}:{clean_client_id(source)}" if source else _SPEAKER,
        text=content,
        kind=type or None,
        scope=_SCOPES[scope],
        tags=tags,
        confidence=confidence,
    )
    if saved.action is Action.CREATED:
        return 201, {"status": "created", "id": saved.memory.id}
    is_same = saved.action in (Action.UNCHANGED, Action.SUPPORTED)
    status = "duplicate" if is_same else "consolidated"
    return 200, {"status": status, "existing_id": saved.memory.id}


def recall(  # noqa: PLR0913 - the names in the request
    place: Workspace,
    *,
    query: str,
    limit: Limit = 10,
    threshold: float = 0.3,
    types: Texts = (),
    scope: Scope | None = None,
    tags: Texts = (),
) -> Answer:
    """Recall what answers a question, memories and statements of sessions."""
    results = [
        {"memory": row, "similarity": similarity}
        for recalled in recalled_memories(place, query, limit, types, scope, tags)
        if (similarity := _similarity(recalled)) >= threshold
        for row in memory_rows(place, [recalled])
    ]
    return {"results": results, "query": redact(query), "total": len(results)}


def memory(place: Workspace, *, memory_id: str) -> Answer:
    """Return a memory."""
    return next(memory_rows(place, [_memory_named(place, memory_id)]))


def forget(place: Workspace, *, memory_id: str) -> None:
    """Forget a memory, in each scope where it was said."""
    located = named.find_document_of_kind(place, MEMORY, memory_id)
    named.forget([located])
    with suppress(NotFound):  # the same text has the same id in another scope
        forget(place, memory_id=located.id)


def create(place: Workspace, *, content: str, tags: Texts = ()) -> tuple[int, Answer]:
    """Remember a statement that is never replaced by another."""
    saved = _save(place, text=content, tags=tags, pinned=True)
    return 201, memory_in_layers(place, memory_id=saved.memory.id)


def newest(
    place: Workspace, *, limit: Limit = 20, scope: Scope | None = None, tags: Texts = ()
) -> Answer:
    """Return the newest memories."""
    memories = recalled_memories(place, "", limit, (), scope, tags)
    return {"memories": [_in_layers(place, recalled) for recalled in memories]}


def search(
    place: Workspace,
    *,
    q: str = "",
    query: str = "",
    limit: Limit = 10,
    scope: Scope | None = None,
    tags: Texts = (),
) -> Answer:
    """Recall what answers a question, with a score."""
    memories = recalled_memories(place, q or query, limit, (), scope, tags)
    return {
        "results": [
            {"memory": _in_layers(place, recalled), "score": _similarity(recalled)}
            for recalled in memories
        ]
    }


def memory_in_layers(place: Workspace, *, memory_id: str) -> Answer:
    """Return a memory, its title apart."""
    return _in_layers(place, _memory_named(place, memory_id))


def update(
    place: Workspace, *, memory_id: str, content: str, tags: Texts | None = None
) -> Answer:
    """Correct a memory."""
    saved = _save(
        place,
        text=content,
        tags=tags,
        pinned=_memory_named(place, memory_id).memory.pinned,
        replaces=memory_id,
        relation=Relate.UPDATE,
    )
    return memory_in_layers(place, memory_id=saved.memory.id)


def recalled_memories(
    place: Workspace,
    text: str,
    limit: int,
    types: Sequence[str] = (),
    scope: Scope | None = None,
    tags: Sequence[str] = (),
) -> Sequence[RecalledMemory]:
    own_scope = _SCOPES[scope] if scope else None
    query = RecallQuery(text, types, tags, (), own_scope, limit)
    return recall_all(place, query, Caller(tool=TOOL)).memories


def memory_rows(
    place: Workspace, memories: Sequence[RecalledMemory]
) -> Iterator[Answer]:
    counts = recall_counts(place.own_dir)
    for recalled in memories:
        memory, recalls = recalled.memory, counts.get(recalled.memory.id)
        yield {
            "id": memory.id,
            "content": shown_text(recalled),
            "type": _TYPES.get(recalled.kind, recalled.kind),
            "scope": {USER: "global", SESSION: SESSION}.get(recalled.scope, PROJECT),
            "project_id": place.project,
            "tags": [line(tag) for tag in memory.tags] if recalled.is_own else [],
            "confidence": confidence_of(memory),
            "score": round(recalled.score, 3),
            "retrieval_count": recalls.times if recalls else 0,
            "created_at": memory.created_at.timestamp(),
            "updated_at": memory.updated_at.timestamp(),
        }


def _in_layers(place: Workspace, recalled: RecalledMemory) -> Answer:
    [row] = memory_rows(place, [recalled])
    memory = recalled.memory
    is_active = memory.status is MemoryStatus.ACTIVE
    return {
        **row,
        "l0_abstract": line(memory.title),
        "category": _CATEGORIES.get(recalled.kind, "events"),
        "memory_type": "pinned" if memory.pinned else "insight",
        "state": "active" if is_active else "archived",
        "importance": memory.importance,
        "access_count": row["retrieval_count"],
        "created_at": memory.created_at.isoformat(),
        "updated_at": memory.updated_at.isoformat(),
    }


def _save(place: Workspace, speaker: str = _SPEAKER, **arguments: Any) -> SavedMemory:
    return save_statement(place, parse_statement(arguments, place.now()), speaker)


def _memory_named(place: Workspace, name: str) -> RecalledMemory:
    located = named.find_document_of_kind(place, MEMORY, name)
    memory = located.workspace.current(MEMORY).readable(located.id)
    if memory is None:
        raise NotFound(f"The memory {located.id} cannot be read.")
    is_own = configured_trust(place.repository).covers(memory.author)
    scope = memory.scope or (PROJECT if located.workspace is place else USER)
    return RecalledMemory(memory, 1.0, Match.STRONG, scope, is_own)


def _similarity(recalled: RecalledMemory) -> float:
    """Return at least a half for a strong match, and at most a quarter for others."""
    share = min(recalled.score, 1.0) / 2
    return round(0.5 + share if recalled.match is Match.STRONG else share / 2, 3)
