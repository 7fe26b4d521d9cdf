"""A page of a brief: rows in sections, as many as there is room for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gitmem.frozen import frozen
from gitmem.text.counting import estimated_tokens


@frozen
class Part:
    """What a part of a brief costs."""

    name: str
    tokens: int
    rows: int
    left_out: int
    """Rows for which there was no room."""


@frozen
class Section:
    name: str
    title: str
    blocks: Sequence[Sequence[str]]
    """Rows that belong together: without the first, the others say nothing."""


@dataclass(slots=True)
class Page:
    """Rows, and the room that is left for more."""

    tokens: int
    characters: int
    rows: list[str] = field(default_factory=list)

    def take(self, *rows: str) -> bool:
        """Add all of these rows, or none where there is no room for them."""
        text = "".join(f"{row}\n" for row in rows)
        cost, length = estimated_tokens(text), utf16_length(text)
        if cost > self.tokens or length > self.characters:
            return False
        self.tokens -= cost
        self.characters -= length
        self.rows += rows
        return True

    def fill(self, section: Section) -> Part:
        """Put as much of the section on it as there is room for."""
        before, shown, title = self.tokens, 0, [section.title]
        for first, *others in section.blocks:
            if self.take(*title, first):
                shown, title = shown + 1, []
                shown += sum(self.take(row) for row in others)
        left_out = sum(map(len, section.blocks)) - shown
        return Part(section.name, before - self.tokens, shown, left_out)


def utf16_length(text: str) -> int:
    """Characters as JavaScript counts them."""
    return len(text.encode("utf-16-le", "replace")) // 2
