"""A toy kind, words and what they mean: nothing outside this folder knows of it."""

import json
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from gitmem.documents.index_entry import Field, IndexEntry, Role
from gitmem.documents.kind import ChangedKind
from gitmem.redaction.redact import NAME, Redacted, redact_own, seal

_ID = re.compile(r"w-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True)
class Word:
    id: str = field(metadata=NAME)
    at: datetime
    means: tuple[str, ...] = ()
    """Sorted, each once."""


@dataclass(frozen=True, slots=True)
class Defined:
    """Somebody said what a word means."""

    word: str = field(metadata=NAME)
    at: datetime
    means: str


class Words(ChangedKind[Word, Defined]):
    name, ref, root = "word", "refs/ocm/words", "words"
    folders = (re.compile("[0-9a-f]{2}"),)

    def is_id(self, text: str) -> bool:
        return _ID.fullmatch(text) is not None

    def path(self, document_id: str) -> str:
        return f"{self.root}/{document_id[2:4]}/{document_id}.md"

    def parse(self, document_id: str, text: str) -> Word:
        first, *lines = text.splitlines() or [""]
        try:
            at = datetime.fromisoformat(first)
        except ValueError:
            at = datetime(1970, 1, 1, tzinfo=UTC)
        means = {line[2:] for line in lines if line.startswith("- ")}
        return Word(document_id, at.replace(tzinfo=at.tzinfo or UTC), _sorted(means))

    def render(self, document: Word) -> str:
        lines = [document.at.isoformat(), *(f"- {each}" for each in document.means)]
        return "".join(f"{line}\n" for line in lines)

    def began_at(self, document: Word) -> datetime:
        return document.at

    def merge(self, one: Word, other: Word) -> Word:
        return replace(
            min(one, other, key=lambda word: (word.at, word.at.isoformat())),
            means=_sorted({*one.means, *other.means}),
        )

    def completed(self, later: Word, earlier: Word) -> Word:
        return self.merge(later, earlier)

    def entry(self, document: Word) -> IndexEntry:
        title = document.means[0] if document.means else ""
        return IndexEntry(
            kind=self.name,
            id=document.id,
            title=title,
            at=document.at,
            fields=(Field("means", Role.GOAL, document.means),),
            passages=document.means,
        )

    def encode(self, change: Defined) -> str:
        return json.dumps([change.word, change.at.isoformat(), change.means])

    def decode(self, line: str) -> Defined | None:
        try:
            word, at, means = json.loads(line)
            return Defined(word, datetime.fromisoformat(at), means)
        except (ValueError, TypeError):
            return None

    def target(self, change: Defined) -> str:
        return change.word

    def changed_at(self, change: Defined) -> datetime:
        return change.at

    def apply(self, before: Word | None, change: Defined) -> Word:
        new = Word(change.word, change.at, (" ".join(change.means.split()),))
        return self.merge(before, new) if before else new

    def message(self, before: Word | None, after: Word, change: Defined) -> Redacted:
        told = "define" if before is None else "define again"
        return redact_own(seal(f"{told}: {change.means}", lambda clean: clean[:72]))


WORDS = Words()


def _sorted(means: set[str]) -> tuple[str, ...]:
    return tuple(sorted(filter(None, means)))
