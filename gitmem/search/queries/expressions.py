"""Every expression for a stretch of time, as it is met in a text."""

import re

from gitmem.search.queries.absolute import ABSOLUTE
from gitmem.search.queries.relative import RELATIVE
from gitmem.search.queries.stretches import Stretch
from gitmem.text.patterns import pattern


def stretch_at(text: str, at: int) -> Stretch | None:
    """What may name a stretch of time in `text` from there on."""
    if not _MAY_BEGIN.match(text, at):
        return None
    third = _THIRD.match(text, at)
    begins = third.end() if third else at
    for expression in _EXPRESSIONS:
        if match := expression.match(text, begins):
            return Stretch(match, expression, _third(third))
    return None


_EXPRESSIONS = (*RELATIVE, *ABSOLUTE)
"""What says more comes first: "march 15" is no month with a number behind it."""
FIRST_WORD = r"\d+[-/.]?\d|\d+(?:st|nd|rd|th)? [a-z]|q[1-4]|an? [a-z]|" + "|".join(
    """
    one two three four five six seven eight nine ten few couple several some half early
    mid middle late end beginning start today tonight yesterday day this last past
    previous older newer more less the other recent lately now mon tue wed thu fri sat
    sun weekend jan feb mar apr may jun jul aug sep oct nov dec first second third
    fourth
    """.split()  # noqa: SIM905 - a literal would be a line for every word
)
"""How such an expression may begin: most words are passed over by this alone."""

_MAY_BEGIN = pattern(FIRST_WORD, re.IGNORECASE)
_THIRD = pattern(
    r"(?:(?P<first>early|(?:beginning|start) of)|(?P<mid>mid|middle of)"
    r"|late|end of)[ -](?:the )?",
    re.IGNORECASE,
)


def _third(match: re.Match[str] | None) -> int | None:
    if match is None:
        return None
    return 0 if match["first"] else 1 if match["mid"] else 2
