"""Recalling: the memories that answer a question, wherever they are kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from gitmem.actions.any_kind import current
from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.reading.recent import circle
from gitmem.actions.remembering.at_prompt import LOOKED_AT
from gitmem.actions.remembering.places import Place, places
from gitmem.actions.remembering.similar import says_same, words_of
from gitmem.actions.remembering.statement import BRANCH, PROJECT, category
from gitmem.documents.authors import Circle
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.kind import ACTIVE
from gitmem.documents.memory.memory import Category, Memory, Standing
from gitmem.documents.session.session import KINDS as STATED_KINDS
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.redaction.redact import following
from gitmem.search.documents import Match
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import of_words
from gitmem.store.trees.document_tree import AnyTree
from gitmem.workspace import Workspace

_HALF_LIFE = 30.0
"""Days in which what a memory is worth halves, down to LEAST_WORTH."""
_LEAST_WORTH = 0.5
_LASTING = frozenset({Category.CONSTRAINT, Category.CONVENTION, Category.DECISION})
"""These are worth the same for ever, as are pinned ones."""
_STALE = 0.5
"""What a memory is worth all of whose files changed since."""
MOST = 50


@frozen(kw_only=True)
class Wanted:
    """What is looked for; all that is given has to fit."""

    text: str = ""
    kinds: tuple[str, ...] = ()
    """Of memories, or of statements of sessions."""
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    scope: str | None = None
    limit: int = 10
    past: bool = False
    """Whether superseded, rejected and expired ones count."""


@frozen
class Recalled:
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

    @property
    def kind(self) -> str:
        return self.stated_as or self.memory.kind.value


@frozen
class Recollection:
    found: tuple[Recalled, ...]
    unreachable: tuple[str, ...] = ()
    """Spaces that could not be read."""


def wanted(  # noqa: PLR0913, PLR0917 - all that somebody may ask for
    text: str = "",
    kinds: Sequence[str] = (),
    tags: Sequence[str] = (),
    files: Sequence[str] = (),
    scope: str | None = None,
    limit: int = 10,
    past: bool = False,
) -> Wanted:
    """Read what a caller asks for. Raises InvalidInput."""
    if limit < 1:
        raise InvalidInput("limit must be at least 1.")
    return Wanted(
        text=text.strip(),
        kinds=tuple(
            each if each in STATED_KINDS.values() else category(each) for each in kinds
        ),
        tags=tuple(each.casefold() for each in tags),
        files=tuple(files),
        scope=scope,
        limit=min(limit, MOST),
        past=past,
    )


def recall(
    workspace: Workspace, asked: Wanted, index: Index | None = None
) -> Recollection:
    """Find the memories that answer, the best first; without words the newest.

    `index` is that of the workspace, where it just learned what there is.
    """
    unreachable: list[str] = []
    found: list[Recalled] = []
    branch = workspace.repository.head().branch or ""
    for place in places(workspace, asked.scope, unreachable):
        asking = _Asking(workspace, place, asked, branch)
        try:
            if index and place.workspace is workspace:
                found += asking.answers_of(index)
            else:
                found += asking.answers()
        except (GitmemError, OSError):
            if place.workspace is workspace or asked.scope:
                raise
            unreachable.append(place.scope)
    return Recollection(best_of(found, asked), tuple(unreachable))


def best_of(found: Sequence[Recalled], asked: Wanted) -> tuple[Recalled, ...]:
    """As many as are asked for, the best first, each statement once.

    A memory stands for statements of sessions that say the same.
    """

    def order(each: Recalled) -> tuple[object, ...]:
        return _order(each, is_search=bool(asked.text))

    memories_first = sorted(found, key=lambda each: (bool(each.stated_as), order(each)))
    best = sorted(_distinct(memories_first), key=order)
    return tuple(_holders_first(best)[: asked.limit])


def _order(found: Recalled, *, is_search: bool) -> tuple[object, ...]:
    newness = -found.memory.updated_at.timestamp()
    if not is_search:
        return newness, found.memory.id
    return found.match is Match.WEAK, -round(found.score, 3), newness, found.memory.id


def _holders(
    index: Index, tree: AnyTree, keys: Iterable[str]
) -> dict[tuple[str, str], str]:
    """Return which id counts for a key on a branch: of several the smallest."""
    ids = {each for key in keys for each in index.lookup(key, MEMORY.name)}
    holders: dict[tuple[str, str], str] = {}
    for memory in filter(None, map(tree.readable, sorted(ids))):
        holders.setdefault((memory.key, memory.branch), memory.id)
    return holders


def _with_rival(found: Recalled, holders: Mapping[tuple[str, str], str]) -> Recalled:
    memory = found.memory
    holder = holders.get((memory.key, memory.branch), memory.id)
    is_rival = memory.status is Standing.ACTIVE and holder != memory.id
    return replace(found, rival=holder) if is_rival else found


def _holders_first(found: Sequence[Recalled]) -> list[Recalled]:
    """Put the memory that counts for a key before the others of that key."""
    places = {each.memory.id: number for number, each in enumerate(found)}

    def place(each: Recalled) -> tuple[int, bool]:
        after = max(places[each.memory.id], places.get(each.rival, 0))
        return after, bool(each.rival)

    return sorted(found, key=place)


def _distinct(found: Sequence[Recalled]) -> Iterator[Recalled]:
    """Those that say the same in nearly the same words once: the best of them."""
    told: list[frozenset[str]] = []
    for each in found:
        words = words_of(each.memory.text)
        if not any(says_same(words, other) for other in told):
            told.append(words)
            yield each


@frozen
class _Asking:
    reader: Workspace
    place: Place
    asked: Wanted
    branch: str
    """That of the reader."""

    def answers(self) -> list[Recalled]:
        with following(self.place.workspace.user_rules()):
            current(self.place.workspace, MEMORY)
            return ask_index(self.place.workspace, self.answers_of)

    def answers_of(self, index: Index) -> list[Recalled]:
        """The same of an index that has learned what there is."""
        tree = self.place.workspace.store_of(MEMORY).memory()
        now, own = self.reader.now(), circle(self.reader)
        if self.place.workspace is not self.reader:
            own = circle(self.place.workspace).joined(own)
        query = of_words(self.asked.text, MEMORY.name, tuple(self._labels()))
        found = []
        for hit in index.search(query, limit=self.asked.limit * LOOKED_AT):
            memory = tree.readable(hit.id)
            if memory and (self.asked.past or memory.is_current(now)):
                found.append(self._recalled(memory, hit, own, now))
        keys = {each.memory.key for each in found} - {""}
        holders = _holders(index, tree, keys)
        return [_with_rival(each, holders) for each in found]

    def _labels(self) -> Iterator[tuple[str, ...]]:
        asked = self.asked
        if not asked.past:
            yield (ACTIVE,)
        if asked.kinds:
            yield tuple(f"kind:{each}" for each in asked.kinds)
        yield from ((f"tag:{each}",) for each in asked.tags)
        if asked.files:
            yield tuple(f"file:{each}" for each in asked.files)
        if asked.scope == BRANCH:
            yield (f"branch:{self.branch}",)
        elif self.place.workspace is self.reader:
            elsewhere = () if asked.scope == PROJECT else (self.branch,)
            yield tuple(f"branch:{each}" for each in {"", *elsewhere})

    def _recalled(
        self, memory: Memory, hit: Hit, own: Circle, now: datetime
    ) -> Recalled:
        changed = _changed(memory, self.reader.repository)
        score = hit.score * worth(memory, changed, now)
        scope = BRANCH if memory.branch else self.place.scope
        is_own = own.trusts(memory.author)
        return Recalled(memory, score, hit.match, scope, is_own, changed)


def worth(memory: Memory, changed_files: int, now: datetime) -> float:
    """Return what the score of a memory is multiplied by, between 0 and 1.

    Importance counts 0.3 of it. Its age halves it every 30 days, and files that changed
    since do as far as they are all that it is about; neither to less than a half.
    """
    days = max((now - memory.updated_at).total_seconds() / 86_400, 0.0)
    is_lasting = memory.pinned or memory.kind in _LASTING
    age = 1.0 if is_lasting else max(0.5 ** (days / _HALF_LIFE), _LEAST_WORTH)
    paths = {file.path for file in memory.files}
    stale = changed_files / len(paths) if paths else 0.0
    return (0.7 + 0.3 * memory.importance) * age * (1 - (1 - _STALE) * stale)


def _changed(memory: Memory, git: Repository) -> int:
    """How many of its files HEAD has otherwise than at any time it was said."""
    noted: dict[str, set[str]] = {}
    for file in memory.files:
        if file.blob:
            noted.setdefault(file.path, set()).add(file.blob)
    head = git.head().commit if noted else None
    if head is None:
        return 0
    present = git.blobs(head, noted)
    return sum(present.get(path) not in blobs for path, blobs in noted.items())
