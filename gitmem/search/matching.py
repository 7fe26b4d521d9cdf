"""The places where a text answers the words of a query, by the rules of the index.

The index knows which documents have a word, not where: this reads the few hits again.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import chain
from operator import or_

from gitmem.frozen import frozen
from gitmem.search.words import Word, stems, terms, tokens, words


@frozen
class Occurrence:
    """A token of a text that answers words of the query."""

    start: int
    end: int
    word_bits: int
    """The words it answers, a bit each; an identifier has one for each part."""


class QueryWords:
    """The words of a query, each with a bit of its own."""

    def __init__(self, typed: Iterable[str], corrections: Mapping[str, str]) -> None:
        """Take the words as typed, with corrections for some."""
        tokens = (corrections.get(token, token) for token in typed)
        self._bits = _bits(word for token in tokens for word in words(token))
        self._in_token = cache(self._bits_of)

    def in_texts(self, texts: Iterable[str]) -> int:
        """Return the words that any of the texts answers, a bit each."""
        text_tokens = chain.from_iterable(map(tokens, texts))
        return reduce(or_, map(self._in_token, text_tokens), 0)

    def matches(self, text: str) -> Iterator[Occurrence]:
        """Yield the tokens of `text` that answer a word, in order.

        Skips tokens whose compatibility form is not spelled so in the text.
        """
        text_tokens, at = tokens(text), 0
        if not any(map(self._in_token, text_tokens)):
            return
        for token in text_tokens:
            start = text.find(token, at)
            if start >= 0:
                at = start + len(token)
                if bits := self._in_token(token):
                    yield from self._matches_in(token, start, bits)

    def _matches_in(self, token: str, start: int, bits: int) -> Iterator[Occurrence]:
        if len(pairs := stems(token)) > 1:  # a script without spaces
            for offset, pair in enumerate(pairs):
                if pair_bits := self._bits.get(pair, 0):
                    yield Occurrence(
                        start + offset, start + offset + len(pair), pair_bits
                    )
        else:
            yield Occurrence(start, start + len(token), bits)

    def _bits_of(self, token: str) -> int:
        return reduce(or_, (self._bits.get(term, 0) for term in terms(token)), 0)


def _bits(query_words: Iterable[Word]) -> dict[str, int]:
    """Return the bits of each term: an identifier has those of all its parts."""
    bits: dict[str, int] = {}
    for word in query_words:
        word_bits = 0
        for part in word.pieces:
            word_bits |= bits.setdefault(part, 1 << len(bits))
        bits[word.whole] = bits.get(word.whole, 0) | word_bits
    return bits
