"""What stands around a part of a query: whether something is asked there.

"Today" is a date in "what did we do today" and none in "add today button". What tells
them apart is whether words that ask for something stand on both sides of it.
"""

import re
from bisect import bisect_left
from functools import cached_property

from gitmem.search.queries.vocabulary import FILLERS, OPENERS
from gitmem.text.patterns import pattern

TAKEN = ";"
"""Put in the place of what was understood: one thought ends, and another begins."""
HELD = "\ue000"
"""Put in the place of something quoted, which is asked for and not looked into."""


class Surroundings:
    """Of every place in `text`, whose words are one space apart."""

    def __init__(self, text: str) -> None:
        self.text = text

    def at_an_edge(self, start: int, end: int) -> bool:
        """Whether [start, end) is at the beginning or the end of a thought."""
        began = self._began(start)
        if not _WORD.search(self.text, began, start):
            return True
        if not self._asked(end, self._ended(end)):
            return True
        return not self._asked(began, start) and not self.goes_on(end)

    def alone(self, start: int, end: int) -> bool:
        """Whether nothing but [start, end) asks for something."""
        return not self._asked(0, start) and not self._asked(end, len(self.text))

    def goes_on(self, end: int) -> bool:
        """Whether the next word is one that asks for something, or `to`."""
        match = _NEXT.match(self.text, end)
        if match is None:
            return False
        word = match[1].lower()
        return word == "to" or not (word in FILLERS or word in OPENERS)

    def _asked(self, start: int, end: int) -> bool:
        first = bisect_left(self._asking, start)
        return first < len(self._asking) and self._asking[first] < end

    def _began(self, at: int) -> int:
        last = bisect_left(self._breaks, at)
        return self._breaks[last - 1] if last else 0

    def _ended(self, at: int) -> int:
        following = bisect_left(self._breaks, at)
        return (*self._breaks[following : following + 1], len(self.text))[0]

    @cached_property
    def _breaks(self) -> list[int]:
        return [match.start() for match in re.finditer("[;,]", self.text)]

    @cached_property
    def _asking(self) -> list[int]:
        """Where the words begin that ask for something."""
        return [
            match.start()
            for match in _WORD.finditer(self.text)
            if match[0].lower() not in FILLERS
        ]


_WORD = pattern(rf"\w+|{HELD}")
_NEXT = pattern(rf" ?(\w+|{HELD})")
