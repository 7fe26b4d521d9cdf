"""A rule of redaction: the name of one shape of secret, and its pattern.

There are hundreds of rules and mostly no secret. So a rule has a literal `clue`, and
says whether each match is one long word: most patterns are never compiled.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gitmem.redaction.letters import in_small_letters, places_of
from gitmem.text.patterns import compiled, pattern

ANY_MARK = pattern(r"\[REDACTED(?::(?P<rule>[\w-]+))?\]")
"""The replacement of a secret, or, without a rule's name, of `<private>` text."""

_GENERATED = pattern(r"\d|[a-z][A-Z]")
_PLACEHOLDER = pattern(
    r"[a-z]+(?:[-_.][a-z]+)+|[A-Z]+(?:[-_.][A-Z]+)+"  # your-key-here, YOUR_KEY
    r"|.*(?i:your[-_]|[-_]here\b).*"
)
_COOKIE_VALUE = pattern(r"=\"?([^;,\s\"']{16,})")


class Secret(NamedTuple):
    """The place of a secret in a text, and the name of the rule that matched it."""

    start: int
    end: int
    rule: str


Check = Callable[[re.Match[str]], bool]


def is_no_placeholder(match: re.Match[str]) -> bool:
    """Return False for placeholders of manuals: `your-key-here`, `YOUR_TOKEN`.

    A token made of `x` alone is no placeholder: to hide an example costs nothing.
    """
    body = match["secret"] if "body" not in match.re.groupindex else match["body"]
    return _PLACEHOLDER.fullmatch(body) is None


def looks_generated(match: re.Match[str]) -> bool:
    return is_no_placeholder(match) and _GENERATED.search(match["secret"]) is not None


def has_digit(match: re.Match[str]) -> bool:
    return is_no_placeholder(match) and re.search(r"\d", match["secret"]) is not None


def has_value(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.secret_values import is_no_value

    return not is_no_value(match["secret"])


def is_unknown_word(match: re.Match[str]) -> bool:
    """Return whether it is no placeholder, and no word that continues a sentence."""
    from gitmem.redaction.prose.known_words import is_known
    from gitmem.redaction.prose.secret_values import is_placeholder

    return not is_placeholder(match["secret"]) and not is_known(match["secret"])


def is_random(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.secret_values import looks_random

    return looks_random(match["secret"])


def is_chosen(match: re.Match[str]) -> bool:
    from gitmem.redaction.prose.secret_values import looks_chosen

    return has_value(match) and looks_chosen(match["secret"])


def holds_session(match: re.Match[str]) -> bool:
    """Return whether a cookie has a value that looks generated."""
    from gitmem.redaction.prose.secret_values import looks_random

    return any(looks_random(value) for value in _COOKIE_VALUE.findall(match["secret"]))


class Rule(NamedTuple):
    name: str
    """The name in the replacement, `[REDACTED:<name>]`."""
    shape: str
    """A description of the secret's looks, for people."""
    source: str
    """The pattern. Its group `secret` is replaced; the rest of a match stays."""
    sample: str
    """A text that has one; `<A36>` is 36 random letters (see the tests)."""
    counter_sample: str = ""
    """A similar text that stays; for a token, the sample cut short by default."""
    check: Check = is_no_placeholder
    """A last check of a match, where the pattern alone would be too greedy."""
    clue: str = ""
    """A pattern of RE2, in ASCII, that each match contains; `head` if it is empty."""
    head: str = ""
    """The beginning of each match, in small letters, which is searched first."""
    is_word: bool = False
    """True if each match, with its lookarounds, lies within one of `long_words`."""

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
    """Return `text` with marks in place of secrets, which come in order."""
    parts: list[str] = []
    done = 0
    for start, end, rule in secrets:
        if start >= done:
            parts += text[done:start], f"[REDACTED:{rule}]"
        done = max(done, end)
    return "".join([*parts, text[done:]]) if parts else text


def at_start(first: str, letters: str = "A-Za-z0-9") -> str:
    r"""Return a lookbehind that demands a word to start where `first` does.

    `first` is of fixed width, `letters` are those of words. An escape (`\n`, `%22`,
    `\u0022`, a terminal colour) before it ends what came before, too.
    """
    return (
        rf"(?:(?<![{letters}]{first})|(?<=\\[nrtbf]{first})|(?<=[0-9\[]m{first})"
        rf"|(?<=%[0-9A-Fa-f]{{2}}{first})|(?<=\\u00[0-9A-Fa-f]{{2}}{first}))"
    )
