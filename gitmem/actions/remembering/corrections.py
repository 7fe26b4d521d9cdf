"""Which statement a newer one corrects, in memories and sessions alike."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from gitmem.documents.memory.kind import ACTIVE, MEMORY
from gitmem.documents.memory.memory import Category, Memory, RelationType
from gitmem.documents.session.index import STATING
from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.statements import OPEN_KINDS, Statement
from gitmem.frozen import frozen
from gitmem.search.likeness import has_other_value, opposes, says_same, words_of
from gitmem.search.queries.query import of_words
from gitmem.search.wording import before_change, states_change, wording
from gitmem.store.trees.committing import configured_trust
from gitmem.text.code_names import names_in
from gitmem.text.patterns import pattern

if TYPE_CHECKING:
    from gitmem.search.documents import Hit
    from gitmem.search.index import Index
    from gitmem.workspace import Workspace

_COMMON, _LENGTH = 100, 500
"""Newest claims with one word, and characters of a claim, that are compared."""
_NEAR = 5
"""Documents of each kind that are looked into for corrections."""
_ALIKE, _ENOUGH = 0.5, 0.6
"""Shares of the words of the shorter claim: of what is compared, of what is ended."""
_SENTENCE_END = pattern(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_CORRECTING = (RelationType.SUPERSEDES, RelationType.CONTRADICTS, RelationType.MERGES)


@frozen
class Claim:
    """A statement with what decides whether it still holds."""

    reference: str
    """The id of a memory, or the reference of a session's statement."""
    text: str
    at: datetime
    kind: str = ""
    names: frozenset[str] = frozenset()
    """Files and identifiers that it is about, or names."""
    corrects: frozenset[str] = frozenset()
    """References of what its author says that it replaces or contradicts."""
    is_trusted: bool = True
    """True if the user or a trusted person states it: only such corrects such."""

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0]

    @property
    def document_id(self) -> str:
        return self.reference.partition("#")[0]

    @property
    def order(self) -> tuple[object, ...]:
        """Its place in time; of one moment, that of what tells a change is last."""
        item = self.reference.partition("#")[2]
        return self.at, states_change(self.text), self.document_id, len(item), item

    @property
    def words(self) -> frozenset[str]:
        """What it says beside names."""
        return _words(self.text[:_LENGTH], self.names)

    @property
    def file_names(self) -> frozenset[str]:
        """Its names as a text may shorten them: of a path the last part."""
        return _last_parts(self.names)


@lru_cache(maxsize=1 << 13)
def _words(text: str, names: frozenset[str]) -> frozenset[str]:
    return frozenset(wording(text).words).difference(wording(" ".join(names)).words)


@lru_cache(maxsize=1 << 13)
def _last_parts(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.rpartition("/")[2].casefold() for name in names)


@lru_cache(maxsize=1 << 13)
def _sentences(text: str) -> frozenset[str]:
    return frozenset(filter(None, _SENTENCE_END.split(text.strip())))


def memory_claim(memory: Memory, kind: str = "", *, is_trusted: bool = True) -> Claim:
    """Return the claim of a memory, or of a statement in the form of one."""
    names = names_in(memory.text) | {file.path for file in memory.files}
    linked = (
        relation.memory_id
        for relation in memory.relations
        if relation.link in _CORRECTING
    )
    at, kind = memory.updated_at, kind or memory.kind
    corrects = frozenset(linked)
    return Claim(memory.id, memory.text, at, kind, names, corrects, is_trusted)


def statement_claim(stated: Statement, *, is_trusted: bool = True) -> Claim:
    """Return the claim of what was stated in a session."""
    return Claim(
        reference=stated.reference,
        text=stated.text,
        at=stated.at,
        kind=stated.kind,
        names=names_in(stated.text),
        is_trusted=is_trusted,
    )


def statements_of(hit: "Hit") -> Iterator[Statement]:
    """Yield what the session of a hit states, or else what its conversation does."""
    for reference, kind, text, at, by in hit.stated:
        yield Statement(reference, kind, text, datetime.fromisoformat(at), by)


def near_claims(
    workspace: "Workspace", index: "Index", texts: Iterable[str]
) -> Iterator[Claim]:
    """Yield what memories and sessions state that is like some texts.

    What corrects a text need not answer the question that the text answers.
    """
    words = frozenset(chain.from_iterable(map(words_of, texts)))
    tree = workspace.store_of(MEMORY).memory()
    trust = configured_trust(workspace.repository)
    query = of_words("", MEMORY.name, ((ACTIVE,),))
    ids = [hit.id for hit in index.nearest(query, words, limit=_NEAR)]
    for memory in filter(None, map(tree.readable, ids)):
        yield memory_claim(memory, is_trusted=trust.covers(memory.author))
    query = of_words("", SESSION.name, ((STATING,),))
    for hit in index.nearest(query, words, limit=_NEAR):
        like = (s for s in statements_of(hit) if len(words & words_of(s.text)) > 1)
        is_trusted = trust.covers(hit.author)
        yield from (statement_claim(s, is_trusted=is_trusted) for s in like)


def corrections(claims: Iterable[Claim]) -> dict[str, Claim]:
    """Return by the reference of each claim that no longer holds what holds now."""
    by_reference = {claim.reference: claim for claim in claims}
    ordered = sorted(by_reference.values(), key=lambda claim: claim.order)
    newer: dict[str, Claim] = {}
    for claim, older in _with_older(ordered):
        newer |= {old.reference: claim for old in _corrected(claim, older)}
    for claim in ordered:
        corrected = (by_reference.get(name, claim) for name in claim.corrects)
        newer |= {
            old.reference: claim
            for old in corrected
            if old.order < claim.order and claim.is_trusted >= old.is_trusted
        }
    newest = {old: _last(claim, newer) for old, claim in newer.items()}
    return {
        old: claim
        for old, claim in newest.items()
        if old in by_reference and not says_same(claim.text, by_reference[old].text)
    }


def contradicts(new: Claim, old: Claim) -> bool:
    """Tell whether two claims on one matter cannot both hold."""
    old_text, new_text = old.text[:_LENGTH], new.text[:_LENGTH]
    if (new.kind == Category.FAILED) == (old.kind == Category.FAILED):
        is_near = bool(new.file_names & old.file_names and _overlap(new, old))
        is_other = has_other_value(old_text, before_change(new_text), is_near=is_near)
        return is_other or opposes(old_text, new_text)
    valid_text = old_text if new.kind == Category.FAILED else new_text
    is_agreed = states_change(valid_text) or wording(valid_text).negated
    return not is_agreed and _overlap(new, old) >= _ENOUGH


def _last(claim: Claim, newer: dict[str, Claim]) -> Claim:
    """Return what holds where a correction was corrected in turn."""
    passed: set[str] = set()
    while claim.reference in newer and claim.reference not in passed:
        passed.add(claim.reference)
        claim = newer[claim.reference]
    return claim


def _with_older(ordered: Sequence[Claim]) -> Iterator[tuple[Claim, list[Claim]]]:
    """Yield each claim with the older ones that have a name or most words of it."""
    having: dict[str, list[int]] = defaultdict(list)
    naming: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(ordered):
        words, names = claim.words, claim.file_names
        shared = Counter(chain.from_iterable(having[w][-_COMMON:] for w in words))
        older = {
            place
            for place, count in shared.items()
            if count >= _ALIKE * min(len(words), len(ordered[place].words))
        }
        older.update(*(naming[name][-_COMMON:] for name in names))
        yield claim, [ordered[place] for place in sorted(older)]
        for word in words:
            having[word].append(number)
        for name in names:
            naming[name].append(number)


def _corrected(new: Claim, older: Iterable[Claim]) -> list[Claim]:
    """Return what a claim contradicts, or else what it is said to end."""
    comparable = [old for old in older if _is_comparable(new, old)]
    contradicted = [old for old in comparable if contradicts(new, old)]
    if contradicted or not states_change(new.text):
        return contradicted
    ended = [old for old in comparable if old.kind != Category.FAILED]
    about_same_file = [old for old in ended if new.file_names & old.file_names]
    about_same_file.sort(key=lambda old: (_overlap(new, old), old.order))
    return [old for old in ended if _overlap(new, old) >= _ENOUGH] or about_same_file[
        -1:
    ]


def _is_comparable(new: Claim, old: Claim) -> bool:
    """Tell whether a claim may correct another.

    What one session tried it did not decide. What repeats all sentences of another, and
    adds some, or leaves some out, takes none back.
    """
    if old.is_trusted and not new.is_trusted:
        return False
    if not OPEN_KINDS.isdisjoint((new.kind, old.kind)):
        return False
    sentences, old_sentences = _sentences(new.text), _sentences(old.text)
    if sentences < old_sentences or old_sentences < sentences:
        return False
    if new.document_id == old.document_id:
        return new.kind == old.kind
    return new.at > old.at or states_change(new.text) > states_change(old.text)


def _overlap(new: Claim, old: Claim) -> float:
    """Return the share of common words of the claim that has fewer; 0 for one word."""
    common = len(new.words & old.words)
    return common / min(len(new.words), len(old.words)) if common > 1 else 0.0
