"""Cut a text into the word pieces that the model knows, as BERT's tokenizer does."""

import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

from gitmem.text.patterns import pattern

BEGIN, END, UNKNOWN = 101, 102, 100
_CONTINUED = "##"
_VOCABULARY = Path(__file__).with_name("vocabulary.txt")
_FOREIGN = 0.35
"""Share of unknown, continued and other pieces from which a text is not English."""
_MOST = 126
"""Pieces of a text that are read: the model takes 128, with both of its ends."""
_LONGEST = 100
"""Characters of a word; longer ones are unknown."""
_TOKEN = pattern(r"[㐀-鿿豈-﫿]|[^\W㐀-鿿豈-﫿_]+|[^\w\s]|_")
"""A Chinese character, a run of other letters and digits, or a mark."""


@cache
def _vocabulary() -> dict[str, int]:
    pieces = _VOCABULARY.read_text("utf-8").splitlines()
    return {piece: number for number, piece in enumerate(pieces)}


def word_pieces(text: str) -> list[int]:
    """Return the numbers of the first word pieces of a text."""
    plain = unicodedata.normalize("NFD", text.lower())
    bare = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    tokens = (match[0] for match in _TOKEN.finditer(bare))
    return [*islice((piece for token in tokens for piece in _pieces(token)), _MOST)]


def is_english(text: str) -> bool:
    """Return whether most word pieces of a text are whole words in ASCII."""
    pieces = word_pieces(text)
    foreign = sum(piece in _foreign_pieces() for piece in pieces)
    return bool(pieces) and foreign < _FOREIGN * len(pieces)


@cache
def _foreign_pieces() -> frozenset[int]:
    return frozenset({UNKNOWN}).union(
        number
        for piece, number in _vocabulary().items()
        if piece.startswith(_CONTINUED) or not piece.isascii()
    )


def _pieces(token: str) -> Iterator[int]:
    """Yield the longest known pieces, from the beginning; or UNKNOWN alone."""
    numbers, start, vocabulary = [], 0, _vocabulary()
    while start < len(token) <= _LONGEST:
        prefix = _CONTINUED if start else ""
        end = len(token)
        while end > start and prefix + token[start:end] not in vocabulary:
            end -= 1
        if end == start:
            return iter([UNKNOWN])
        numbers.append(vocabulary[prefix + token[start:end]])
        start = end
    return iter(numbers or [UNKNOWN])
