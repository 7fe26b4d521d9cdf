"""The memories that fit a filter: counted, and listed a page at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from typing import Any

from gitmem.actions.answers import Answer, passed_over
from gitmem.actions.remembering.clean_up import memories
from gitmem.actions.remembering.places import Place, places
from gitmem.actions.remembering.recall import Wanted
from gitmem.actions.remembering.statement import PROJECT
from gitmem.documents.authors import name_in
from gitmem.documents.memory.memory import Memory, Standing, confidence_of
from gitmem.errors import GitmemError, InvalidInput
from gitmem.redaction.redact import following
from gitmem.search.likeness import words_of
from gitmem.store.trees.committing import circle_in
from gitmem.text.counting import estimated_tokens
from gitmem.text.markdown import line, one_line
from gitmem.workspace import Workspace

_MOST_TAGS = 20
"""Tags that are counted: the most frequent ones."""
_TITLE, _TITLE_OF_OTHERS = 200, 100
"""Characters."""


def list_memories(
    workspace: Workspace, asked: Wanted, *, skip: int = 0, budget: int | None = None
) -> Answer:
    """Count the memories that fit, and list a page of them, the newest first.

    The page ends at the limit of `asked`, or at `budget` tokens; `next` is how many to
    skip for the one behind it. Past memories are counted, and listed only if asked for.
    """
    if skip < 0:
        raise InvalidInput("Less than no memory cannot be skipped.")
    unreachable: list[str] = []
    fitting = sorted(_fitting(workspace, asked, unreachable), key=lambda row: row[0])
    rows = [row for _, row in fitting]
    listed = [row for row in rows if asked.past or row["status"] == Standing.ACTIVE]
    page = _within(listed[skip : skip + asked.limit], budget)
    end = skip + len(page)
    left_out = passed_over(spaces=unreachable)
    return {
        **({"notice": left_out} if left_out else {}),
        **_counts(rows),
        "total": len(listed),
        "memories": page,
        **({"next": end} if page and end < len(listed) else {}),
    }


def _fitting(
    workspace: Workspace, asked: Wanted, unreachable: list[str]
) -> Iterator[tuple[tuple[float, str], Answer]]:
    for place in places(workspace, asked.scope, unreachable):
        try:
            yield from [*_of_place(workspace, place, asked)]
        except (GitmemError, OSError):
            if place.workspace is workspace or asked.scope:
                raise
            unreachable.append(place.scope)


def _of_place(
    workspace: Workspace, place: Place, asked: Wanted
) -> Iterator[tuple[tuple[float, str], Answer]]:
    """Yield the memories that fit, behind what they are sorted by."""
    there, own, of_all = place.workspace, circle_in(workspace.repository), PROJECT
    if there is not workspace:
        own, of_all = circle_in(there.repository).joined(own), place.scope
    with following(there.user_rules()):
        known = memories(there)
    for memory in known:
        scope = memory.scope or of_all
        if asked.scope in (None, scope) and _fits(memory, asked):
            is_own = own.trusts(memory.author)
            row = _row(memory, is_own=is_own)
            row |= {"scope": scope, "status": memory.standing_at(workspace.now())}
            yield (-memory.updated_at.timestamp(), memory.id), row


def _fits(memory: Memory, asked: Wanted) -> bool:
    text = "\n".join((memory.text, memory.why, memory.key, *memory.facts))
    paths = {file.path for file in memory.files}
    return (
        (not asked.kinds or memory.kind in asked.kinds)
        and {tag.casefold() for tag in memory.tags}.issuperset(asked.tags)
        and (not asked.files or not paths.isdisjoint(asked.files))
        and (not asked.text or words_of(asked.text) <= words_of(text))
    )


def _row(memory: Memory, *, is_own: bool) -> Answer:
    """A memory in one line; of what others said the title alone."""
    told: Answer = {
        "memory_id": memory.id,
        "text": one_line(memory.title, _TITLE if is_own else _TITLE_OF_OTHERS),
        "kind": memory.kind.value,
        "date": memory.updated_at.date().isoformat(),
        "importance": memory.importance,
        "confidence": confidence_of(memory),
        "pinned": memory.pinned,
        "key": line(memory.key),
        "author": "" if is_own else name_in(memory.author),
        "tags": [line(each) for each in memory.tags] if is_own else [],
    }
    return {name: value for name, value in told.items() if value not in ("", [], False)}


def _within(rows: Sequence[Answer], budget: int | None) -> list[Answer]:
    """Return the rows up to a budget, one at least."""
    costs = accumulate(estimated_tokens(str(row)) for row in rows)
    fitting = sum(budget is None or cost <= budget for cost in costs)
    return [*rows[: max(fitting, 1)]]


def _counts(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, int]]:
    tags = Counter(
        map(str.casefold, chain.from_iterable(r.get("tags", ()) for r in rows))
    )
    plural = {"kinds": "kind", "scopes": "scope", "statuses": "status"}
    counted = {n: Counter(row[key] for row in rows) for n, key in plural.items()}
    sorted_counts = {name: dict(sorted(each.items())) for name, each in counted.items()}
    return {**sorted_counts, "tags": dict(tags.most_common(_MOST_TAGS))}
