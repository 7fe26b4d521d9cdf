"""The memories that fit a filter: counted, and listed a page at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.actions.remembering.places import places
from gitmem.actions.remembering.recall import RecallQuery
from gitmem.actions.remembering.statement import PROJECT
from gitmem.answers import Answer, passed_over
from gitmem.documents.authors import name_in
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Memory, MemoryStatus, confidence_of
from gitmem.redaction.redact import following
from gitmem.search.likeness import words_of
from gitmem.text.counting import Row, fullest
from gitmem.text.markdown import line, one_line
from gitmem.workspace import Workspace

_MOST_TAGS = 20
"""Tags that are counted: the most frequent ones."""
_TITLE, _TITLE_OF_OTHERS = 200, 100
"""Characters."""


def memories(workspace: Workspace) -> list[Memory]:
    """All memories of this repository."""
    tree = workspace.current(MEMORY)
    return [*filter(None, map(tree.readable, tree.ids()))]


def list_memories(
    workspace: Workspace,
    query: RecallQuery,
    *,
    skip: int = 0,
    budget: int | None = None,
) -> Answer:
    """Count the memories that fit, and list a page of them, the newest first.

    The page ends at the limit of `asked`, or at `budget` tokens but has one at least;
    `next` is how many to skip for the one behind it. Past memories are counted, and
    listed only if asked for.
    """
    unreachable: list[str] = []
    fitting = [*fitting_memories(workspace, query, unreachable)]
    fitting.sort(key=lambda pair: (-pair[0].updated_at.timestamp(), pair[0].id))
    rows = [row for _, row in fitting]
    active_rows = [
        row for row in rows if query.past or row["status"] == MemoryStatus.ACTIVE
    ]
    page: Sequence[Row] = active_rows[max(skip, 0) :][: query.limit]
    if budget is not None:
        page = fullest([(row,) for row in page], budget)
    end = skip + len(page)
    left_out = passed_over(spaces=unreachable)
    return {
        **({"notice": left_out} if left_out else {}),
        **_counts(rows),
        "total": len(active_rows),
        "memories": page,
        **({"next": end} if page and end < len(active_rows) else {}),
    }


def fitting_memories(
    workspace: Workspace, query: RecallQuery, unreachable: list[str]
) -> Iterator[tuple[Memory, Answer]]:
    """Yield each memory that fits, past ones as well, with its row.

    Spaces that cannot be read are named in `unreachable`.
    """
    for place in places(workspace, query.scope, unreachable):
        usual = PROJECT if place.workspace is workspace else place.scope
        trusted = place.trust(workspace.repository)
        with following(place.workspace.user_rules()):
            all_memories = memories(place.workspace)
        for memory in all_memories:
            scope = memory.scope or usual
            if query.scope in (None, scope) and _fits(memory, query):
                row = _row(memory, is_own=trusted.covers(memory.author))
                status = memory.standing_at(workspace.now())
                yield memory, row | {"scope": scope, "status": status}


def scopes_of_memories(workspace: Workspace) -> dict[str, int]:
    """Count the active memories of each scope."""
    rows = (row for _, row in fitting_memories(workspace, RecallQuery(), []))
    active = (row["scope"] for row in rows if row["status"] == MemoryStatus.ACTIVE)
    return dict(sorted(Counter(map(str, active)).items()))


def _fits(memory: Memory, query: RecallQuery) -> bool:
    text = "\n".join((memory.text, memory.why, memory.key, *memory.facts))
    paths = {file.path for file in memory.files}
    return (
        (not query.kinds or memory.kind in query.kinds)
        and {tag.casefold() for tag in memory.tags}.issuperset(query.tags)
        and (not query.files or not paths.isdisjoint(query.files))
        and (not query.text or words_of(query.text) <= words_of(text))
    )


def _row(memory: Memory, *, is_own: bool) -> Answer:
    """A memory in one line; of what others said the title alone."""
    row: Answer = {
        "memory_id": memory.id,
        "text": one_line(memory.title, _TITLE if is_own else _TITLE_OF_OTHERS),
        "kind": memory.kind.value,
        "date": memory.updated_at.date().isoformat(),
        "importance": memory.importance,
        "confidence": confidence_of(memory),
        "pinned": memory.pinned,
        "key": line(memory.key),
        "author": "" if is_own else name_in(memory.author),
        "tags": [line(tag) for tag in memory.tags] if is_own else [],
    }
    return {name: value for name, value in row.items() if value not in ("", [], False)}


def _counts(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, int]]:
    counted = {
        "kinds": Counter(row["kind"] for row in rows),
        "scopes": Counter(row["scope"] for row in rows),
        "statuses": Counter(row["status"] for row in rows),
    }
    tags = Counter(tag.casefold() for row in rows for tag in row.get("tags", ()))
    counts = {
        name: dict(sorted(by_value.items())) for name, by_value in counted.items()
    }
    return counts | {"tags": dict(tags.most_common(_MOST_TAGS))}
