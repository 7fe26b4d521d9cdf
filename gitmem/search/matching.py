"""Where a text answers the words of a query, by the rules of the index.

The index knows which documents have a word and not where: this looks once more at the
few that were found.
"""

from collections.abc import Iterable, Iterator, Mapping

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
        self._known: dict[str, int] = {}

    def in_texts(self, texts: Iterable[str]) -> int:
        """The words that any of the texts answers, a bit each."""
        found = 0
        for text in texts:
            for token in tokens(text):
                found |= self._in_token(token)
        return found

    def matches(self, text: str) -> Iterator[Occurrence]:
        """The tokens of `text` that answer something, in their order.

        Tokens that compatibility forms would spell differently are passed over.
        """
        at = 0
        for token in tokens(text):
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

    def _in_token(self, token: str) -> int:
        found = self._known.get(token)
        if found is None:
            found = 0
            for term in terms(token):
                found |= self._bits.get(term, 0)
            self._known[token] = found
        return found


def _bits(asked: Iterable[Word]) -> dict[str, int]:
    """The bits of each term: an identifier has those of all its parts."""
    bits: dict[str, int] = {}
    for word in asked:
        own = 0
        for part in word.pieces:
            own |= bits.setdefault(part, 1 << len(bits))
        bits[word.whole] = bits.get(word.whole, 0) | own
    return bits
