"""A memory: one statement that is worth keeping."""

from collections.abc import Iterable, Iterator
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from itertools import count

from gitmem.documents.authors import Trust
from gitmem.documents.names import digest
from gitmem.frozen import frozen
from gitmem.redaction.redact import NAME
from gitmem.text.patterns import pattern
from gitmem.text.symbols import spelled_out

TEXT_LENGTH = 8000
"""Characters of a statement."""
MOST_ITEMS = 100
"""Most items of each list of a memory; the first ones in order stay."""
ID = pattern(r"m-[0-9a-f]{12}")
_SUPPORT = 0.1
"""Added to the confidence for each source but the first."""


class Category(StrEnum):
    """What kind of statement it is; users call it the kind of a memory."""

    PREFERENCE = "preference"  # what the user likes
    CONVENTION = "convention"  # how things are done here
    CONSTRAINT = "constraint"  # what must hold
    DECISION = "decision"  # what was chosen, and why
    ARCHITECTURE = "architecture"  # how it is built
    DISCOVERY = "discovery"  # what was found out
    FIX = "fix"  # what solved a problem
    FAILED = "failed"  # what was tried in vain
    PATTERN = "pattern"  # what comes up again and again
    FACT = "fact"
    PROFILE = "profile"  # who the user is


RULES = frozenset((Category.CONSTRAINT, Category.CONVENTION, Category.PREFERENCE))
"""The kinds that say how things are to be done."""
IMPORTANCE = {
    Category.CONSTRAINT: 0.9,
    Category.DECISION: 0.8,
    Category.ARCHITECTURE: 0.8,
    Category.CONVENTION: 0.8,
    Category.PREFERENCE: 0.7,
    Category.FAILED: 0.7,
    Category.PROFILE: 0.7,
    Category.FIX: 0.6,
    Category.PATTERN: 0.6,
}
"""Importance by kind, between 0 and 1, where nobody gives it; 0.5 for others."""
CONFIDENCE = {Category.DISCOVERY: 0.6, Category.PATTERN: 0.6}
"""Confidence by kind, between 0 and 1, where nobody gives it; 0.8 for others."""


class MemoryStatus(StrEnum):
    """Where a memory stands; of two versions the later one here is right."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"


class RelationType(StrEnum):
    """What a memory has to do with another one."""

    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded-by"
    MERGES = "merges"
    CONTEXT_OF = "context-of"
    CONTRADICTS = "contradicts"


class Relate(StrEnum):
    """What a statement is to a memory that it names, as its author says."""

    SUPERSEDE = "supersede"
    MERGE = "merge"
    SUPPORT = "support"
    CONTEXT = "context"
    CONTRADICT = "contradict"
    UPDATE = "update"


_ONLY_ADDED = frozenset({Category.FIX, Category.DISCOVERY})
"""Kinds that record events, which stay true whatever happens later."""
_MAY_DIFFER = frozenset({Category.PATTERN, Category.ARCHITECTURE})
"""Kinds of which two contradicting memories may both be shown."""


@frozen
class Relation:
    link: RelationType
    memory_id: str = field(metadata=NAME)


@frozen
class MemoryFile:
    """A file that a memory is about, as it was when somebody said so."""

    path: str
    blob: str = field(default="", metadata=NAME)
    """The id of its content; "" for a file that was not there."""


@frozen(kw_only=True)
class Memory:
    """All that the document of a memory holds.

    Times are aware, in whole seconds. Lists are sorted, each item once.
    """

    id: str = field(metadata=NAME)
    text: str
    """A title on the first line; more may follow."""
    kind: Category = Category.FACT
    key: str = field(default="", metadata=NAME)
    """The name that its user gave to it."""
    why: str = ""
    branch: str = ""
    """The branch that it is about, or `session:` and a client id; "" for all."""
    pinned: bool = False
    importance: float = 0.5
    confidence: float = 0.8
    """Confidence of the first source; see `confidence_of`."""
    expires: datetime | None = None
    created_at: datetime
    updated_at: datetime
    """When something of the above was last said anew."""
    author: str = ""
    """Who said it first, `Name <address>`."""
    status: MemoryStatus = MemoryStatus.ACTIVE
    facts: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[MemoryFile, ...] = ()
    sources: tuple[str, ...] = ()
    """Who said it: `session:<id>`, `person:<name>`, `file:<digest>`."""
    relations: tuple[Relation, ...] = ()

    def __post_init__(self) -> None:
        self._set("text", "\n".join(self.text.strip().splitlines()))
        self._set("why", "\n".join(self.why.strip().splitlines()))
        for name in ("importance", "confidence"):
            self._set(name, round(min(max(getattr(self, name), 0.0), 1.0), 2))
        for name in LISTS:
            self._set(name, _sorted(getattr(self, name)))

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0]

    @property
    def scope(self) -> str:
        """Where in its repository it holds: "branch", "session", or "" for anywhere."""
        is_of_session = self.branch.startswith("session:")
        return "session" if is_of_session else "branch" if self.branch else ""

    def is_current(self, now: datetime) -> bool:
        return self.standing_at(now) == MemoryStatus.ACTIVE

    def standing_at(self, now: datetime) -> str:
        """Return its status; "expired" for an active one that holds no more."""
        is_over = self.expires is not None and self.expires <= now
        is_active = self.status is MemoryStatus.ACTIVE
        return "expired" if is_over and is_active else self.status.value


LISTS = ("facts", "tags", "files", "sources", "relations")
"""Lists of a memory that only grow."""


def confidence_of(memory: Memory) -> float:
    """Return how sure a memory is: each further source adds a tenth, up to 1."""
    further = max(len(memory.sources) - 1, 0)
    return round(min(memory.confidence + _SUPPORT * further, 1.0), 2)


def precedence(memory: Memory, trust: Trust) -> tuple[object, ...]:
    """Return what sorts first the memory that counts of several with one key.

    It is the newest one, of the user's and trusted people's before those of others.
    """
    newness = -memory.updated_at.timestamp()
    return not trust.covers(memory.author), newness, memory.id


def same_words(text: str) -> str:
    """Return what texts have in common that say the same in the same words."""
    spelled = spelled_out(text).casefold()
    words = "".join(c if c.isalnum() else " " for c in spelled)
    return " ".join(words.split()) or text.strip()


def ids_of(text: str, branch: str) -> Iterator[str]:
    """Yield the ids that a new memory may get: the first one that is not taken.

    The same words get the same id in every clone, so that clones which hear them
    apart have one memory.
    """
    words = f"{branch} {same_words(text)}"
    return (f"m-{digest(f'{number} {words}')[:12]}" for number in count())


def allowed(relation: Relate, memory: Memory) -> Relate:
    """Return what may become of a known memory, where something else was asked for.

    An update corrects one in its place, whatever it is.
    A pinned one is never replaced, nor what happened once; a profile is only added to,
    but where it is contradicted; and of two that contradict each other the newer one
    counts, but for what may be true in one place and not in another.
    """
    is_contradicted = relation is Relate.CONTRADICT
    if relation in (Relate.SUPPORT, Relate.CONTEXT, Relate.UPDATE):
        return relation
    if memory.pinned or memory.kind in _ONLY_ADDED:
        return relation if is_contradicted else Relate.CONTEXT
    if memory.kind is Category.PROFILE and not is_contradicted:
        return Relate.MERGE
    if is_contradicted and memory.kind not in _MAY_DIFFER:
        return Relate.SUPERSEDE
    return relation


def proposal(memory: Memory, *, is_part: bool, is_opposite: bool = False) -> Relate:
    """Return what to propose for a new statement that is like a known one.

    `is_part` where the new one has all words of the known one, and `is_opposite` where
    both cannot hold.
    """
    if is_opposite:
        return allowed(Relate.CONTRADICT, memory)
    return allowed(Relate.MERGE if is_part else Relate.SUPERSEDE, memory)


def merged_text(known_text: str, new: str) -> str:
    """Return one text that says both, the known one first."""
    if same_words(known_text) in same_words(new):
        return new
    return (
        known_text
        if same_words(new) in same_words(known_text)
        else f"{known_text}\n{new}"
    )


def _sorted(items: Iterable[object]) -> tuple[object, ...]:
    return tuple(sorted({*items}, key=_order)[:MOST_ITEMS])


def _order(item: object) -> tuple[str, ...]:
    match item:
        case MemoryFile(path=path, blob=blob):
            return path, blob
        case Relation(link=link, memory_id=memory_id):
            return link, memory_id
    return (str(item),)
