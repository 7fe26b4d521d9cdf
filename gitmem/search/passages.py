"""Passages: the text of a document in pieces of equal length.

What belongs together stands together. A query whose words meet in one passage is
about that document, while one whose words are scattered over hours of conversation may
not be.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gitmem.documents.index_entry import IndexEntry

WORDS = 150
"""In a passage: a few sentences, or a turn or two."""
MOST: Final = 2_000_000
"""Characters that are searched of the passages of a document, and of each field."""


@dataclass(frozen=True, slots=True)
class Passage:
    words: Sequence[str]
    """As white space sets them apart."""
    is_said: bool
    """Whether it is of the conversation, and not of the document."""

    @property
    def text(self) -> str:
        return " ".join(self.words)


def passages(entry: IndexEntry) -> Iterator[Passage]:
    """All of a document that can be searched, piece by piece."""
    for words in _pieces(entry.passages):
        yield Passage(words, is_said=False)
    for words in _pieces(entry.said):
        yield Passage(words, is_said=True)


def within(texts: Iterable[str], room: int) -> Iterator[str]:
    """The texts as far as their first `room` characters go."""
    for text in texts:
        if room <= 0:
            return
        yield text[:room]
        room -= len(text)


def _pieces(texts: Iterable[str]) -> Iterator[list[str]]:
    words = "\n".join(within(texts, MOST)).split()
    for start in range(0, len(words), WORDS):
        yield words[start : start + WORDS]
