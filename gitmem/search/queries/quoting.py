"""What a query holds in quotes, and what it does not want.

An apostrophe is no quote, an unmatched quote is punctuation, and a dash is only a
minus where a word begins with it: `--flag`, `-m`, `a-b`, `-1` and `- item` are words.
"""

import re

from gitmem.frozen import frozen
from gitmem.search.queries.context import HELD, TAKEN
from gitmem.search.words import tokens
from gitmem.text.patterns import pattern

MOST = 8
"""Phrases, and things that are not wanted; further ones are words."""
LONGEST = 32
"""Words of a phrase. More in quotes are a text that was pasted, and no phrase."""


@frozen
class Quoted:
    """A text with what is quoted and what is not wanted taken out."""

    phrases: tuple[str, ...]
    without: tuple[str, ...]
    rest: str
    """With HELD in the place of each phrase, and TAKEN for what is not wanted."""

    def spoken(self, rest: str) -> str:
        """`rest`, or what others left of it, with the phrases in their places."""
        phrases = iter(self.phrases)
        return re.sub(HELD, lambda _: f" {next(phrases, '')} ", rest)


def take_quoted(text: str) -> Quoted:
    """Read what is quoted in `text`, and what stands behind a minus."""
    phrases: list[str] = []
    without: list[str] = []

    def take(match: re.Match[str]) -> str:
        said = (match[match.lastgroup or 0]).strip().rstrip(_CLOSING)
        unwanted = bool(match["minus"] or match["word"])
        taken = without if unwanted else phrases
        if len(taken) == MOST or not 0 < len(tokens(said)) <= LONGEST:
            return match[0]
        taken.append(said)
        return TAKEN if unwanted else HELD

    rest = _QUOTED.sub(take, text)
    return Quoted(tuple(phrases), tuple(dict.fromkeys(without)), rest)


_QUOTED = pattern(
    r"(?<![\w:])(?P<minus>(?<!\S)-)?(?:"
    r'"(?P<straight>[^"]*)"'
    r"|[“„](?P<curly>[^“”„]*)[“”]"
    r"|«(?P<double>[^«»]*)»"
    r"|‹(?P<angle>[^‹›]*)›"
    r"|'(?=\S)(?P<single>(?:[^' ]|(?<=\w)'(?=\w))++(?: (?:[^' ]|(?<=\w)'(?=\w))++)+)'"
    r"|‘(?P<one>[^‘’ ]++ (?:[^‘’]|’(?=\w))++)’"
    r")(?!:?[\w\"])"
    r"|(?<!\S)-(?P<word>(?:[^\W\d]|[./](?=\w))\w[^\s;]*)"
)
"""In single quotes only of several words: `'foo'` is the name of something. Neither the
key nor the value of `"key":"value"` is a phrase.
"""
_CLOSING = " .,;:!?)]}\"'"
