"""Recalling: the memories that answer a question, wherever they are kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import nlargest
from math import sqrt

from gitmem.actions.remembering.answering import (
    by_meaning,
    by_words,
    changed_files,
    worth,
)
from gitmem.actions.remembering.corrections import (
    Claim,
    corrections,
    memory_claim,
    near_claims,
)
from gitmem.actions.remembering.meanings import Tree, memory_cosines
from gitmem.actions.remembering.places import ScopedWorkspace, places
from gitmem.actions.remembering.statement import BRANCH, PROJECT, SESSION, category
from gitmem.documents.authors import Trust
from gitmem.documents.memory.kind import ACTIVE, MEMORY
from gitmem.documents.memory.memory import Category, Memory, MemoryStatus, precedence
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.redaction.redact import following
from gitmem.search.documents import Match
from gitmem.search.index import Index
from gitmem.search.likeness import says_same
from gitmem.search.queries.query import of_words
from gitmem.store.trees.committing import present_branch
from gitmem.workspace import Workspace

_LOOKED_AT = 3
"""Times as many hits as are asked for are looked at."""
MOST = 50
_CORRECTABLE = 3
"""Best hits for which corrections are looked for that do not answer themselves."""


@dataclass(slots=True, eq=False, repr=False)
class RecallQuery:
    """A question to the memories; all that is given has to fit. Raises InvalidInput."""

    text: str = ""
    kinds: Sequence[str] = ()
    """Kinds of memories, or of statements of sessions."""
    tags: Sequence[str] = ()
    files: Sequence[str] = ()
    scope: str | None = None
    limit: int = 10
    past: bool = False
    """True to include superseded, rejected and expired memories."""
    session: str = ""
    """The conversation that asks, as a source: `session:<client id>`."""
    by_meaning: bool = False
    """True to ask the model, too, if the user installed one."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise InvalidInput("limit must be at least 1.")
        self.text = self.text.strip()
        self.kinds = [_kind(kind) for kind in self.kinds]
        self.tags = [tag.casefold() for tag in self.tags]
        self.limit = min(self.limit, MOST)


@frozen
class RecalledMemory:
    memory: Memory
    score: float
    match: Match
    scope: str
    """Its scope: branch, project, user, or the name of a space."""
    is_own: bool
    """True if the user or a trusted person wrote it."""
    changed_files: int = 0
    rival: str = ""
    """The id of the active memory with the same key that counts instead."""
    stated_as: str = ""
    """Its kind, if it is a statement of a session."""
    correction: Claim | None = None
    """The claim that corrected it."""
    cosine: float = 0.0
    """How near it is in meaning; 0 where nobody can tell."""

    @property
    def kind(self) -> str:
        return self.stated_as or self.memory.kind.value


@frozen
class Recollection:
    memories: tuple[RecalledMemory, ...]
    unreachable: tuple[str, ...] = ()
    """Spaces that could not be read."""


def _kind(name: str) -> str:
    """Read the kind of a memory, or of a statement of a session."""
    from gitmem.documents.session.fields import KINDS
    from gitmem.documents.session.statements import SAID

    return name if name in {*KINDS.values(), SAID} else category("kind", name)


def recall(
    workspace: Workspace,
    query: RecallQuery,
    index: Index | None = None,
    stated: Iterable[RecalledMemory] = (),
) -> Recollection:
    """Find the memories that answer, the best first; without words the newest.

    `index` is that of the workspace, where it just learned what there is; `stated` is
    what sessions state that answers as well.
    """
    unreachable: list[str] = []
    recalled = [*stated]
    for place in places(workspace, query.scope, unreachable):
        is_here = place.workspace is workspace
        answers = partial(_answers, workspace, place, query)
        try:
            if index and is_here:
                recalled += answers(index)
            else:
                recalled += _learned(place.workspace, answers)
        except (GitmemError, OSError):
            if is_here or query.scope:
                raise
            unreachable.append(place.scope)
    best = nlargest(_CORRECTABLE, recalled, key=lambda hit: hit.score)
    texts = [hit.memory.text for hit in best]
    near = [*near_claims(workspace, index, texts)] if index else ()
    return Recollection(best_of(recalled, query, near), tuple(unreachable))


def _answers(
    reader: Workspace, place: ScopedWorkspace, query: RecallQuery, index: Index
) -> list[RecalledMemory]:
    """Return what the memories of a place answer, as far as they still hold."""
    workspace, git, now = place.workspace, reader.repository, reader.now()
    branch = present_branch(git) or "" if workspace is reader else None
    words = of_words(query.text, MEMORY.name, tuple(_labels(query, branch)))
    tree, trust = workspace.store_of(MEMORY).memory(), place.trust(git)
    cosines = memory_cosines(workspace, tree, query.text) if query.by_meaning else {}
    most = query.limit * _LOOKED_AT
    if cosines:
        hits = by_meaning(index, words, most, tree, cosines)
    else:
        hits = by_words(index, words, most)
    recalled = []
    for hit in hits:
        memory = tree.readable(hit.id)
        if not memory or not (query.past or memory.is_current(now)):
            continue
        changed = changed_files(git, memory)
        value = worth(memory, changed, now)
        recalled.append(
            RecalledMemory(
                memory,
                # Cosines differ less than shares of words do.
                hit.score * (sqrt(value) if cosines else value),
                hit.match,
                memory.scope or place.scope,
                trust.covers(memory.author),
                changed,
                _rival(index, tree, memory, trust),
                cosine=hit.cosine,
            )
        )
    return recalled


def _learned(
    workspace: Workspace, answers: Callable[[Index], list[RecalledMemory]]
) -> list[RecalledMemory]:
    """Return what the index of a place answers, after it learned what there is."""
    from gitmem.indexing import ask_index

    with following(workspace.user_rules()):
        workspace.current(MEMORY)
        return ask_index(workspace, answers)


def _labels(query: RecallQuery, branch: str | None) -> Iterator[tuple[str, ...]]:
    if not query.past:
        yield (ACTIVE,)
    if query.kinds:
        yield tuple(f"kind:{kind}" for kind in query.kinds)
    yield from ((f"tag:{tag}",) for tag in query.tags)
    if query.files:
        yield tuple(f"file:{path}" for path in query.files)
    if query.scope in (BRANCH, SESSION):
        yield (f"branch:{branch if query.scope == BRANCH else query.session}",)
    elif branch is not None:
        elsewhere = () if query.scope == PROJECT else (branch, query.session)
        yield tuple(f"branch:{name}" for name in {"", *elsewhere})


def best_of(
    recalled: Sequence[RecalledMemory], query: RecallQuery, near: Iterable[Claim] = ()
) -> tuple[RecalledMemory, ...]:
    """As many as are asked for, the best first, each statement once.

    A memory stands for statements of sessions that say the same, and what corrects
    another one before that; `near` may correct some, too.
    """
    by_grade = not any(item.cosine for item in recalled)

    def order(item: RecalledMemory) -> tuple[object, ...]:
        newness, id_ = -item.memory.updated_at.timestamp(), item.memory.id
        if not query.text:
            return newness, id_
        is_later = by_grade and item.match is Match.WEAK
        return is_later, -round(item.score, 3), newness, id_

    memories_first = sorted(
        recalled, key=lambda item: (bool(item.stated_as), order(item))
    )
    best = sorted(_distinct(memories_first), key=order)
    best_twice = best[: 2 * query.limit]
    claims = (
        memory_claim(hit.memory, hit.kind, is_trusted=hit.is_own) for hit in best_twice
    )
    return tuple(
        _newest_first(best_twice, corrections([*near, *claims]))[: query.limit]
    )


def _rival(index: Index, tree: Tree, memory: Memory, trust: Trust) -> str:
    """Return the id of the memory that counts for a key instead of an active one.

    It is "" where that is this one.
    """
    if not memory.key or memory.status is not MemoryStatus.ACTIVE:
        return ""
    ids = index.lookup(memory.key, MEMORY.name)
    holders = (
        holder
        for holder in filter(None, map(tree.readable, ids))
        if (holder.key, holder.branch) == (memory.key, memory.branch)
    )
    first = min(holders, key=partial(precedence, trust=trust), default=memory)
    return "" if first.id == memory.id else first.id


def _newest_first(
    recalled: Sequence[RecalledMemory], newer: Mapping[str, Claim]
) -> list[RecalledMemory]:
    """Put what corrects another one, or counts for its key, before that.

    What was corrected counts for no key.
    """
    places = {hit.memory.id: number for number, hit in enumerate(recalled)}
    marked = [
        replace(
            hit,
            correction=newer.get(hit.memory.id),
            rival="" if {hit.memory.id, hit.rival} & newer.keys() else hit.rival,
        )
        for hit in recalled
    ]

    def place(hit: RecalledMemory) -> tuple[int, bool]:
        newer_id = hit.correction.reference if hit.correction else hit.rival
        return max(places[hit.memory.id], places.get(newer_id, 0)), bool(newer_id)

    return sorted(marked, key=place)


def _distinct(recalled: Sequence[RecalledMemory]) -> Iterator[RecalledMemory]:
    """Yield of those that say the same the best one."""
    texts: list[tuple[str, bool]] = []
    for hit in recalled:
        text, is_failed = hit.memory.text, hit.kind == Category.FAILED
        if not any(
            says_same(text, earlier) and is_failed == state for earlier, state in texts
        ):
            texts.append((text, is_failed))
            yield hit
