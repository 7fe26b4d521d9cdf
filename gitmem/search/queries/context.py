"""What stands around a part of a query: whether something is asked there.

"Today" is a date in "what did we do today" and none in "add today button". What tells
them apart is whether words that ask for something stand on both sides of it. Words of a
text are one space apart.
"""

from gitmem.search.queries.vocabulary import FILLERS, OPENERS
from gitmem.text.patterns import pattern

TAKEN = ";"
"""Put in the place of what was understood: one thought ends, and another begins."""
HELD = "\ue000"
"""Put in the place of something quoted, which is asked for and not looked into."""


def is_at_an_edge(text: str, start: int, end: int) -> bool:
    """Whether [start, end) is at the beginning or the end of a thought."""
    before = _THOUGHT_ENDS.split(text[:start])[-1]
    after = _THOUGHT_ENDS.split(text[end:], maxsplit=1)[0]
    if not _WORD.search(before) or not _asks(after):
        return True
    return not _asks(before) and not goes_on(text, end)


def is_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing but [start, end) asks for something."""
    return not _asks(text[:start]) and not _asks(text[end:])


def goes_on(text: str, end: int) -> bool:
    """Whether the next word is one that asks for something, or `to`."""
    match = _NEXT.match(text, end)
    if match is None:
        return False
    word = match[1].lower()
    return word == "to" or not (word in FILLERS or word in OPENERS)


def _asks(text: str) -> bool:
    return any(word.lower() not in FILLERS for word in _WORD.findall(text))


_THOUGHT_ENDS = pattern("[;,]")
_WORD = pattern(rf"\w+|{HELD}")
_NEXT = pattern(rf" ?(\w+|{HELD})")
