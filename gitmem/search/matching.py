"""Where a text answers the words of a query, by the rules of the index.

The index knows which documents have a word and not where: this looks once more at the
few that were found.
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
    asked: int
    """Which of them, a bit each; an identifier has one for each of its parts."""


class Asked:
    """What a query asks for, word by word."""

    def __init__(self, typed: Iterable[str], meant: Mapping[str, str]) -> None:
        """`meant` has corrections, by what was typed."""
        self._bits = _bits(
            word for token in typed for word in words(meant.get(token, token))
        )
        self._in_token = cache(self._bits_of)

    def in_texts(self, texts: Iterable[str]) -> int:
        """The words that any of the texts answers, a bit each."""
        found = chain.from_iterable(map(tokens, texts))
        return reduce(or_, map(self._in_token, found), 0)

    def matches(self, text: str) -> Iterator[Occurrence]:
        """The tokens of `text` that answer something, in their order.

        Tokens that compatibility forms would spell differently are passed over.
        """
        found, at = tokens(text), 0
        if not any(map(self._in_token, found)):
            return
        for token in found:
            start = text.find(token, at)
            if start >= 0:
                at = start + len(token)
                if asked := self._in_token(token):
                    yield from self._matches_in(token, start, asked)

    def _matches_in(self, token: str, start: int, asked: int) -> Iterator[Occurrence]:
        if len(pairs := stems(token)) > 1:  # a script without spaces
            for offset, pair in enumerate(pairs):
                if found := self._bits.get(pair, 0):
                    yield Occurrence(start + offset, start + offset + len(pair), found)
        else:
            yield Occurrence(start, start + len(token), asked)

    def _bits_of(self, token: str) -> int:
        return reduce(or_, (self._bits.get(term, 0) for term in terms(token)), 0)


def _bits(asked: Iterable[Word]) -> dict[str, int]:
    """The bits of each term: an identifier has those of all its parts."""
    bits: dict[str, int] = {}
    for word in asked:
        own = 0
        for part in word.pieces:
            own |= bits.setdefault(part, 1 << len(bits))
        bits[word.whole] = bits.get(word.whole, 0) | own
    return bits
