"""Which statement a newer one corrects, in memories and sessions alike."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

from gitmem.documents.memory.memory import Category, Link, Memory
from gitmem.documents.session.session import Session, statements
from gitmem.frozen import frozen
from gitmem.search.likeness import (
    has_other_value,
    is_negative,
    opposes,
    says_same,
    words_of,
)
from gitmem.search.wording import tells_change
from gitmem.text.code_names import names_in
from gitmem.text.markdown import harmless_line

_COMMON = 100
"""Claims that have a word or name in common with so many others tell nothing."""
_LINE_LENGTH = 160
_ENOUGH = 0.6
"""The share of common words at which words of change end another claim."""
_CORRECTING = (Link.SUPERSEDES, Link.CONTRADICTS, Link.MERGES)
_ASKING = frozenset(("blocker", "question"))


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

    @property
    def order(self) -> tuple[datetime, str, int, str]:
        """Its place in time; of one moment, every clone has the same one last."""
        document_id, _, item = self.reference.partition("#")
        return self.at, document_id, len(item), item


def memory_claim(memory: Memory) -> Claim:
    """Return the claim of a memory."""
    paths = (file.path for file in memory.files)
    return Claim(
        memory.id,
        memory.text,
        memory.updated_at,
        memory.kind,
        names_in(memory.text).union(paths),
        frozenset(
            each.memory_id for each in memory.relations if each.link in _CORRECTING
        ),
    )


def session_claims(session: Session) -> Iterator[Claim]:
    """Yield the claims of a session's statements."""
    for each in statements(session):
        names = names_in(each.text)
        yield Claim(each.reference, each.text, session.updated_at, each.kind, names)


def corrections(claims: Iterable[Claim]) -> dict[str, Claim]:
    """Return by the reference of each claim that no longer holds what holds now."""
    ordered = sorted(claims, key=lambda claim: claim.order)
    newer: dict[str, Claim] = {}
    for new, older in _with_older(ordered):
        newer |= {old.reference: new for old in _corrected(new, older)}
    for claim in ordered:
        newer |= dict.fromkeys(claim.corrects, claim)
    texts = {claim.reference: claim.text for claim in ordered}
    last = {reference: _last(claim, newer) for reference, claim in newer.items()}
    return {
        reference: claim
        for reference, claim in last.items()
        if not says_same(claim.text, texts.get(reference, ""))
    }


def past_mark(correction: Claim) -> str:
    """Return what is put behind a statement that was corrected."""
    text = harmless_line(correction.text, _LINE_LENGTH)
    return f"(until {correction.at.date()}; now: {text})"


def _last(claim: Claim, newer: dict[str, Claim]) -> Claim:
    """Return what holds where a correction was corrected in turn."""
    passed: set[str] = set()
    while claim.reference in newer and claim.reference not in passed:
        passed.add(claim.reference)
        claim = newer[claim.reference]
    return claim


def _with_older(ordered: Iterable[Claim]) -> Iterator[tuple[Claim, list[Claim]]]:
    """Yield each claim with the older ones that share a word or a name with it."""
    having: dict[str, list[Claim]] = defaultdict(list)
    for claim in ordered:
        words = [*words_of(claim.text), *_short_names(claim)]
        sharing = chain.from_iterable(having[word][-_COMMON:] for word in words)
        yield claim, [*dict.fromkeys(sharing)]
        for word in words:
            having[word].append(claim)


def _corrected(new: Claim, older: Iterable[Claim]) -> list[Claim]:
    """Return what a claim contradicts, or else what it is said to end."""
    comparable = [old for old in older if _is_comparable(new, old)]
    contradicted = [old for old in comparable if _contradicts(new, old)]
    if contradicted or not tells_change(new.text):
        return contradicted
    ended = [old for old in comparable if not _is_failed(old)]
    alike = [old for old in ended if _overlap(new, old) >= _ENOUGH]
    named = [old for old in ended if _shares_name(new, old)]
    named.sort(key=lambda old: (_overlap(new, old), old.order))
    return alike or named[-1:]


def _is_comparable(new: Claim, old: Claim) -> bool:
    """Whether a claim may correct another: what one session tried it did not decide."""
    documents = {each.reference.partition("#")[0] for each in (new, old)}
    is_kind = new.kind == old.kind or len(documents) > 1
    return is_kind and _ASKING.isdisjoint((new.kind, old.kind))


def _contradicts(new: Claim, old: Claim) -> bool:
    if says_same(new.text, old.text):
        return _is_failed(new) != _is_failed(old)
    if _is_failed(new) != _is_failed(old):
        text = old.text if _is_failed(new) else new.text
        is_agreed = tells_change(text) or is_negative(text)
        return not is_agreed and _overlap(new, old) >= _ENOUGH
    is_near = _shares_name(new, old) and bool(_overlap(new, old))
    is_other = has_other_value(new.text, old.text, is_near=is_near)
    return is_other or opposes(new.text, old.text)


def _is_failed(claim: Claim) -> bool:
    return claim.kind == Category.FAILED


def _overlap(new: Claim, old: Claim) -> float:
    """Return the share of common words of the claim that has fewer; 0 for one word.

    Names do not count.
    """
    words = [
        words_of(each.text) - words_of(" ".join(each.names)) for each in (new, old)
    ]
    common = len(words[0] & words[1])
    return common / min(map(len, words)) if common > 1 else 0.0


def _shares_name(new: Claim, old: Claim) -> bool:
    return not _short_names(new).isdisjoint(_short_names(old))


def _short_names(claim: Claim) -> set[str]:
    """Return its names as a text may shorten them: of a path the file name."""
    return {f"/{name.rpartition('/')[2].casefold()}" for name in claim.names}
