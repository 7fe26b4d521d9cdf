"""A rule of redaction: what one shape of secret is called, and how it is found.

There are some hundreds of rules and mostly no secret, so a rule says what its pattern
cannot do without (`clue`), and whether all it finds is one long word. Most patterns are
then never run over a text, and never even compiled.
"""

import re
import string
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from gitmem.redaction.false_positives import is_no_stand_in

ANY_MARK = re.compile(r"\[REDACTED(?::(?P<rule>[\w-]+))?\]")
"""What stands in the place of a secret; of `<private>` text, without a rule's name."""

_LETTERS = string.ascii_letters + string.digits + "_.+/=~:|@%$!\\[-"
_LONG = b"x" * 18
_MASK = bytes(b"x"[0] if chr(byte) in _LETTERS else b" "[0] for byte in range(256))


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    """What stands in the place of the secret: `[REDACTED:<name>]`."""
    shape: str
    """What such a secret looks like, for people."""
    source: str
    """The pattern. Its group `secret` is replaced; the rest of a match stays."""
    is_secret: Callable[[re.Match[str]], bool] = is_no_stand_in
    """Has the last word on a match, where the pattern alone would be too greedy."""
    clue: str = ""
    """What each match contains, in these letters (of ASCII)."""
    heads: tuple[str, ...] = ()
    """What matches begin with, in small letters; it is then looked for there alone."""
    is_word: bool = False
    """Whether each match lies within one of `long_words`, as far as it looks."""
    nests: bool = False
    """Whether what is no secret after all may hold one: a quoted text may."""

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.source)

    def secrets(self, text: str) -> Iterator[tuple[int, int]]:
        """Where the secrets of this rule begin and end, in order and apart."""
        find, look_from = self._finder(text), 0
        while match := find(look_from):
            start, end = match.span("secret")
            is_secret = self.is_secret(match)
            if is_secret:
                yield start, end
            inside = self.nests and not is_secret and match["quote"]
            look_from = max(start if inside else match.end(), match.start() + 1)

    def _finder(self, text: str) -> Callable[[int], re.Match[str] | None]:
        """What finds the next match that begins at a place or behind it."""
        if not self.heads:
            return lambda look_from: self.pattern.search(text, look_from)
        places = iter(_places(text, self.heads))

        def find(look_from: int) -> re.Match[str] | None:
            for place in places:
                match = place >= look_from and self.pattern.match(text, place)
                if match:
                    return match
            return None

        return find


def at_start(first: str, letters: str = "A-Za-z0-9") -> str:
    r"""What a pattern says behind its first part, for that to be where a word starts.

    `first` is of fixed width, `letters` are those of words. An escape (`\n`, `%22`,
    `\u0022`, a terminal colour) before it ends what came before, too.
    """
    return (
        rf"(?:(?<![{letters}]{first})|(?<=\\[nrtbf]{first})|(?<=[0-9\[]m{first})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{first})|(?<=\\u00[0-9A-Fa-f]{{2}}{first}))"
    )


def in_ascii(text: str) -> str:
    """`text` with `?` for all that is not ASCII: as long, and quickly searched."""
    return text.encode("ascii", "replace").decode()


def long_words(text: str) -> Iterator[tuple[int, int]]:
    """Where the words begin and end that are long enough for a token.

    Ten times as fast as a pattern: they are looked up in a mask of the text.
    """
    mask = text.encode("ascii", "replace").translate(_MASK) + b" "
    start = mask.find(_LONG)
    while start >= 0:
        end = mask.find(b" ", start)
        yield start, end
        start = mask.find(_LONG, end)


def _places(text: str, heads: tuple[str, ...]) -> list[int]:
    """Where any of `heads` is, in small letters or not, in order."""
    small = in_ascii(text).lower()
    found: list[int] = []
    for head in heads:
        place = small.find(head)
        while place >= 0:
            found.append(place)
            place = small.find(head, place + 1)
    return sorted(found)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.ASCII)
