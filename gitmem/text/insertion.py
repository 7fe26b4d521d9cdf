"""Text added to a file of somebody else, in a form that can be undone byte for byte.

Nothing of the file is ever rewritten: what was there before is still there, and taking
the insertions out again gives the very text that was found.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Insertion:
    offset: int
    """In characters, in the text as it was right before this insertion."""
    text: str


def inserted(text: str, insertions: Iterable[Insertion]) -> str:
    """The text with the insertions, made one after the other."""
    for each in insertions:
        text = text[: each.offset] + each.text + text[each.offset :]
    return text


def line_end_of(text: str) -> str:
    """What ends a line of the text, and so a line that is put into it."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
