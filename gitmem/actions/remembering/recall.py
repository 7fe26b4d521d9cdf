"""Recalling: the memories that answer a question, wherever they are kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from heapq import nlargest
from typing import TYPE_CHECKING

from gitmem.actions.remembering.corrections import (
    Claim,
    corrections,
    memory_claim,
    near_claims,
)
from gitmem.actions.remembering.statement import BRANCH, PROJECT, SESSION, category
from gitmem.actions.remembering.worth import changed_files, worth
from gitmem.documents.memory.kind import ACTIVE, MEMORY
from gitmem.documents.memory.memory import Category, Memory, MemoryStatus
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.redaction.redact import following
from gitmem.search.documents import Match
from gitmem.search.index import Hit, Index
from gitmem.search.likeness import says_same
from gitmem.search.queries.query import of_words

if TYPE_CHECKING:
    from gitmem.actions.remembering.places import ScopedWorkspace
    from gitmem.git.repository import Repository
    from gitmem.store.trees.document_tree import AnyTree
    from gitmem.workspace import Workspace

_LOOKED_AT = 3
"""Times as many hits as are asked for are looked at."""
MOST = 50
_CORRECTABLE = 3
"""Best hits for which corrections are looked for that do not answer themselves."""


@dataclass(slots=True, eq=False, repr=False)
class RecallQuery:
    """What is looked for; all that is given has to fit. Raises InvalidInput."""

    text: str = ""
    kinds: Sequence[str] = ()
    """Of memories, or of statements of sessions."""
    tags: Sequence[str] = ()
    files: Sequence[str] = ()
    scope: str | None = None
    limit: int = 10
    past: bool = False
    """Whether superseded, rejected and expired ones count."""
    session: str = ""
    """The conversation that asks, as a source: `session:<client id>`."""

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise InvalidInput("limit must be at least 1.")
        self.text = self.text.strip()
        self.kinds = [_kind(each) for each in self.kinds]
        self.tags = [each.casefold() for each in self.tags]
        self.limit = min(self.limit, MOST)


@frozen
class RecalledMemory:
    memory: Memory
    score: float
    match: Match
    scope: str
    """Where it is kept: branch, project, user, or the name of a space."""
    is_own: bool
    """Whether the user, or somebody trusted, said it."""
    changed_files: int = 0
    rival: str = ""
    """The id of the active memory with the same key that counts instead."""
    stated_as: str = ""
    """Its kind, if it is a statement of a session."""
    correction: Claim | None = None
    """What holds instead since it was corrected."""

    @property
    def kind(self) -> str:
        return self.stated_as or self.memory.kind.value


@frozen
class Recollection:
    found: tuple[RecalledMemory, ...]
    unreachable: tuple[str, ...] = ()
    """Spaces that could not be read."""


def _kind(name: str) -> str:
    """Read the kind of a memory, or of a statement of a session."""
    from gitmem.documents.session.session import KINDS, SAID

    return name if name in {*KINDS.values(), SAID} else category("kind", name)


def recall(
    workspace: "Workspace",
    asked: RecallQuery,
    index: Index | None = None,
    stated: Iterable[RecalledMemory] = (),
) -> Recollection:
    """Find the memories that answer, the best first; without words the newest.

    `index` is that of the workspace, where it just learned what there is; `stated` is
    what sessions state that answers as well.
    """
    from gitmem.actions.remembering.places import places  # opens repositories

    unreachable: list[str] = []
    found = [*stated]
    for place in places(workspace, asked.scope, unreachable):
        is_here = place.workspace is workspace
        answers = partial(_answers, workspace, place, asked)
        try:
            if index and is_here:
                found += answers(index)
            else:
                found += _learned(place.workspace, answers)
        except (GitmemError, OSError):
            if is_here or asked.scope:
                raise
            unreachable.append(place.scope)
    best = nlargest(_CORRECTABLE, found, key=lambda hit: hit.score)
    texts = [hit.memory.text for hit in best]
    near = [*near_claims(workspace, index, texts)] if index else ()
    return Recollection(best_of(found, asked, near), tuple(unreachable))


def _answers(
    reader: "Workspace", place: "ScopedWorkspace", asked: RecallQuery, index: Index
) -> list[RecalledMemory]:
    """Return what the memories of a place answer, as its index knows them."""
    there, git = place.workspace, reader.repository
    branch = git.head().branch or "" if there is reader else None
    tree = there.store_of(MEMORY).memory()
    looking = Looking(asked, place.scope, tree, git, there.repository, reader.now())
    return looking.found(index, hits_of(index, asked, branch))


def _learned(
    there: "Workspace", answers: Callable[[Index], list[RecalledMemory]]
) -> list[RecalledMemory]:
    """Return what the index of a place answers, after it learned what there is."""
    from gitmem.actions.any_kind import current
    from gitmem.indexing import ask_index

    with following(there.user_rules()):
        current(there, MEMORY)
        return ask_index(there, answers)


def hits_of(index: Index, asked: RecallQuery, branch: str | None) -> list[Hit]:
    """Return the hits among the memories of a place.

    `branch` is the reader's, "" for none, in their own repository; None elsewhere.
    """
    query = of_words(asked.text, MEMORY.name, tuple(_labels(asked, branch)))
    return index.search(query, limit=asked.limit * _LOOKED_AT)


def _labels(asked: RecallQuery, branch: str | None) -> Iterator[tuple[str, ...]]:
    if not asked.past:
        yield (ACTIVE,)
    if asked.kinds:
        yield tuple(f"kind:{each}" for each in asked.kinds)
    yield from ((f"tag:{each}",) for each in asked.tags)
    if asked.files:
        yield tuple(f"file:{each}" for each in asked.files)
    if asked.scope in (BRANCH, SESSION):
        yield (f"branch:{branch if asked.scope == BRANCH else asked.session}",)
    elif branch is not None:
        elsewhere = () if asked.scope == PROJECT else (branch, asked.session)
        yield tuple(f"branch:{each}" for each in {"", *elsewhere})


def best_of(
    found: Sequence[RecalledMemory], asked: RecallQuery, near: Iterable[Claim] = ()
) -> tuple[RecalledMemory, ...]:
    """As many as are asked for, the best first, each statement once.

    A memory stands for statements of sessions that say the same, and what corrects
    another one before that; `near` may correct some, too.
    """

    def order(each: RecalledMemory) -> tuple[object, ...]:
        newness, id_ = -each.memory.updated_at.timestamp(), each.memory.id
        if not asked.text:
            return newness, id_
        return each.match is Match.WEAK, -round(each.score, 3), newness, id_

    memories_first = sorted(found, key=lambda each: (bool(each.stated_as), order(each)))
    best = sorted(_distinct(memories_first), key=order)
    shown = best[: 2 * asked.limit]
    claims = (memory_claim(hit.memory, hit.kind) for hit in shown)
    return tuple(_newest_first(shown, corrections([*near, *claims]))[: asked.limit])


def _holders(
    index: Index, tree: "AnyTree", keys: Iterable[str]
) -> dict[tuple[str, str], str]:
    """Return which id counts for a key on a branch: of several the smallest."""
    ids = {each for key in keys for each in index.lookup(key, MEMORY.name)}
    holders: dict[tuple[str, str], str] = {}
    for memory in filter(None, map(tree.readable, sorted(ids))):
        holders.setdefault((memory.key, memory.branch), memory.id)
    return holders


def _newest_first(
    found: Sequence[RecalledMemory], newer: Mapping[str, Claim]
) -> list[RecalledMemory]:
    """Put what corrects another one, or counts for its key, before that."""
    places = {hit.memory.id: number for number, hit in enumerate(found)}
    marked = [replace(hit, correction=newer.get(hit.memory.id)) for hit in found]

    def place(hit: RecalledMemory) -> tuple[int, bool]:
        first = hit.correction.reference if hit.correction else hit.rival
        return max(places[hit.memory.id], places.get(first, 0)), bool(first)

    return sorted(marked, key=place)


def _distinct(found: Sequence[RecalledMemory]) -> Iterator[RecalledMemory]:
    """Yield of those that say the same the best one."""
    texts: list[tuple[str, bool]] = []
    for hit in found:
        text, is_failed = hit.memory.text, hit.kind == Category.FAILED
        if not any(
            says_same(text, known) and is_failed == state for known, state in texts
        ):
            texts.append((text, is_failed))
            yield hit


@frozen
class Looking:
    """Where somebody looks for memories, and how they are told from there."""

    asked: RecallQuery
    scope: str
    """That of the place."""
    tree: "AnyTree"
    reader: "Repository"
    """That of who looks."""
    there: "Repository"
    now: datetime

    def found(self, index: Index, hits: Iterable[Hit]) -> list[RecalledMemory]:
        """Read the hits, as far as they still hold."""
        from gitmem.store.trees.committing import circle_in

        own = circle_in(self.reader)
        if self.there is not self.reader:
            own = circle_in(self.there).joined(own)
        known = [
            (memory, hit)
            for hit in hits
            if (memory := self.tree.readable(hit.id))
            and (self.asked.past or memory.is_current(self.now))
        ]
        keys = {memory.key for memory, _ in known} - {""}
        holders = _holders(index, self.tree, keys)
        found = []
        for memory, hit in known:
            changed = changed_files(self.reader, memory)
            score = hit.score * worth(memory, changed, self.now)
            scope = memory.scope or self.scope
            is_own = own.trusts(memory.author)
            holder = holders.get((memory.key, memory.branch), memory.id)
            is_rival = memory.status is MemoryStatus.ACTIVE and holder != memory.id
            rival = holder if is_rival else ""
            told = RecalledMemory(
                memory, score, hit.match, scope, is_own, changed, rival
            )
            found.append(told)
        return found
