"""Cut a text into the word pieces that the model knows, as BERT's tokenizer does."""

import unicodedata
from functools import cache
from itertools import chain, islice
from pathlib import Path

from gitmem.text.patterns import pattern

BEGIN, END = 101, 102
_UNKNOWN, _CONTINUED = "[UNK]", "##"
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
    return [_vocabulary()[piece] for piece in _pieces(text)]


def is_english(text: str) -> bool:
    """Return whether most word pieces of a text are whole words in ASCII."""
    pieces = _pieces(text)
    foreign = [
        piece
        for piece in pieces
        if piece == _UNKNOWN or piece.startswith(_CONTINUED) or not piece.isascii()
    ]
    return bool(pieces) and len(foreign) < _FOREIGN * len(pieces)


def _pieces(text: str) -> list[str]:
    plain = unicodedata.normalize("NFD", text.lower())
    bare = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    tokens = (match[0] for match in _TOKEN.finditer(bare))
    return [*islice(chain.from_iterable(map(_cut, tokens)), _MOST)]


def _cut(token: str) -> list[str]:
    """Return the longest known pieces, from the beginning; or what is unknown alone."""
    pieces: list[str] = []
    start = 0
    while start < len(token) <= _LONGEST:
        prefix = _CONTINUED if start else ""
        ends = range(len(token), start, -1)
        matching = (end for end in ends if prefix + token[start:end] in _vocabulary())
        if not (end := next(matching, 0)):
            return [_UNKNOWN]
        pieces.append(prefix + token[start:end])
        start = end
    return pieces or [_UNKNOWN]
