"""The words by which sentences are chosen for made sessions, whatever gitmem does.

Lower case, identifiers whole and in parts, stems of English. It stays as it is, so
that figures of different days can be compared.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONGEST = 64
_STOP_WORDS = frozenset(
    """
    a about am an and any are as at be been being but by can could did do does doing
    done for from had has have having he her here him his how i if in into is it its
    just let me my no nor not of off on or our out over own please she should so some
    such than that the their them then there these they this those through to too under
    until up very was we were what when where which while who whom why will with would
    you your s t d ll m re ve don didn doesn isn wasn aren weren won
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)


def tokens(text: str) -> list[str]:
    """Each run of letters, digits and underscores, as it is written."""
    return re.findall(r"\w+", text)


def telling(text: str) -> list[str]:
    """The distinct tokens of a query, without stop words where it has others."""
    distinct: dict[str, str] = {}
    for token in tokens(text):
        distinct.setdefault(token.casefold(), token)
    found = [token for key, token in distinct.items() if key not in _STOP_WORDS]
    return found or [*distinct.values()]


def terms(text: str) -> Iterator[str]:
    """Under what a text is found: its words, and the parts of identifiers."""
    return (term for token in tokens(text) for term in _terms(token[:_LONGEST]))


@lru_cache(maxsize=1 << 15)
def _terms(token: str) -> tuple[str, ...]:
    whole = token.replace("_", "").casefold()
    found = [part.casefold() for part in _PART.findall(token) if len(part) > 1]
    split = map(_stem, found) if len(found) > 1 else ()
    return tuple(dict.fromkeys([_stem(whole), *split])) if whole else ()


def _stem(word: str) -> str:
    return _stemmer().analyze(word)[0] if word.isascii() and word.isalpha() else word


@cache
def _stemmer() -> TextAnalyzer:
    builder = TextAnalyzerBuilder(Tokenizer.raw())
    return builder.filter(Filter.stemmer("english")).build()
