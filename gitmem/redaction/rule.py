"""A rule of redaction: the name of one shape of secret, and how it is found.

There are hundreds of rules and mostly no secret. So a rule has a literal `clue`, and
says whether all it finds is one long word: most patterns are never compiled.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gitmem.redaction.letters import in_small_letters, places_of
from gitmem.text.patterns import compiled, pattern

ANY_MARK = pattern(r"\[REDACTED(?::(?P<rule>[\w-]+))?\]")
"""What stands in the place of a secret; of `<private>` text, without a rule's name."""

_MADE = pattern(r"\d|[a-z][A-Z]")
_STAND_IN = pattern(
    r"[a-z]+(?:[-_.][a-z]+)+|[A-Z]+(?:[-_.][A-Z]+)+"  # your-key-here, YOUR_KEY
    r"|.*(?i:your[-_]|[-_]here\b).*"
)
_COOKIE_VALUE = pattern(r"=\"?([^;,\s\"']{16,})")


class Secret(NamedTuple):
    """Where a secret is in a text, and the name of the rule that found it."""

    start: int
    end: int
    rule: str


Check = Callable[[re.Match[str]], bool]


def is_no_stand_in(match: re.Match[str]) -> bool:
    """Return False for placeholders of manuals: `your-key-here`, `YOUR_TOKEN`.

    What has the shape of a token counts as one, made of `x` or not: to hide an example
    costs nothing.
    """
    body = match["secret"] if "body" not in match.re.groupindex else match["body"]
    return _STAND_IN.fullmatch(body) is None


def is_made(match: re.Match[str]) -> bool:
    return is_no_stand_in(match) and _MADE.search(match["secret"]) is not None


def has_digit(match: re.Match[str]) -> bool:
    return is_no_stand_in(match) and re.search(r"\d", match["secret"]) is not None


def is_given(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.secret_values import is_no_value

    return not is_no_value(match["secret"])


def is_told(match: re.Match[str]) -> bool:
    """Return whether it is no stand-in, and no word by which a sentence would go on."""
    from gitmem.redaction.prose.known_words import is_known
    from gitmem.redaction.prose.secret_values import stands_in

    return not stands_in(match["secret"]) and not is_known(match["secret"])


def is_random(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.secret_values import looks_random

    return looks_random(match["secret"])


def is_chosen(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.secret_values import looks_chosen

    return is_given(match) and looks_chosen(match["secret"])


def holds_session(match: re.Match[str]) -> bool:
    """Return whether a cookie has a value that only a machine makes up."""
    from gitmem.redaction.prose.secret_values import looks_random

    return any(looks_random(value) for value in _COOKIE_VALUE.findall(match["secret"]))


class Rule(NamedTuple):
    name: str
    """What stands in the place of the secret: `[REDACTED:<name>]`."""
    shape: str
    """What such a secret looks like, for people."""
    source: str
    """The pattern. Its group `secret` is replaced; the rest of a match stays."""
    sample: str
    """A text that has one; `<A36>` is 36 random letters (see the tests)."""
    counter_sample: str = ""
    """A text that looks alike and stays; of a token, it is its sample cut short."""
    check: Check = is_no_stand_in
    """Has the last word on a match, where the pattern alone would be too greedy."""
    clue: str = ""
    """What each match contains: a pattern of RE2's, in ASCII. Else its head is that."""
    head: str = ""
    """What matches begin with, in small letters, and are looked for by."""
    is_word: bool = False
    """Whether each match lies within one of `long_words`, as far as it looks."""

    @property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.source, re.ASCII)

    def secrets(self, text: str) -> Iterator[tuple[int, int]]:
        if self.head:
            done = 0
            for place in places_of(self.head.encode(), in_small_letters(text)):
                match = place >= done and self.pattern.match(text, place)
                if match:
                    done = match.end()
                    if self.check(match):
                        yield match.span("secret")
            return
        for match in self.pattern.finditer(text):
            if self.check(match):
                yield match.span("secret")


def replaced(text: str, secrets: Iterable[Secret]) -> str:
    """Return `text` with marks in the place of secrets, which come in order."""
    kept: list[str] = []
    done = 0
    for start, end, rule in secrets:
        if start >= done:
            kept += text[done:start], f"[REDACTED:{rule}]"
        done = max(done, end)
    return "".join([*kept, text[done:]]) if kept else text


def at_start(first: str, letters: str = "A-Za-z0-9") -> str:
    r"""Return a lookbehind that demands a word to start where `first` does.

    `first` is of fixed width, `letters` are those of words. An escape (`\n`, `%22`,
    `\u0022`, a terminal colour) before it ends what came before, too.
    """
    return (
        rf"(?:(?<![{letters}]{first})|(?<=\\[nrtbf]{first})|(?<=[0-9\[]m{first})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{first})|(?<=\\u00[0-9A-Fa-f]{{2}}{first}))"
    )
