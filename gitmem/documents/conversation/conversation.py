"""A conversation as text: what both sides said, without what tools gave back.

It is kept apart from the document, which is short: a prompt in full and the words of
the assistant help to find a session, and need not be read to know it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from gitmem.frozen import frozen
from gitmem.text.calendar import read_time
from gitmem.text.markdown import decode, encode_paragraphs
from gitmem.text.patterns import pattern

TURN_LENGTH = 20_000
"""Characters of one turn that are kept."""
LENGTH = 500_000
"""Characters of a conversation that are kept, its turns from the first on, with what
stands above each."""

_CUT = "[…]"
_TITLE = pattern(
    r"^## (Person|Assistant)(?:, (\d{4}-\d\d-\d\dT[\d:]{8}[-+\d:]*))?$", re.MULTILINE
)


class Speaker(StrEnum):
    PERSON = "Person"
    ASSISTANT = "Assistant"


@frozen
class Turn:
    speaker: Speaker
    text: str
    at: datetime | None = None
    """Aware, in whole seconds; None where nobody wrote it down."""


def prompts(turns: Iterable[Turn]) -> Iterator[str]:
    """What the person said."""
    return (turn.text for turn in turns if turn.speaker is Speaker.PERSON)


def answers(turns: Iterable[Turn]) -> Iterator[str]:
    """What the assistant said."""
    return (turn.text for turn in turns if turn.speaker is Speaker.ASSISTANT)


def length_of(turn: Turn) -> int:
    """Characters of it, with what stands above it."""
    return len(_title(turn)) + len(turn.text)


def capped(turns: Iterable[Turn]) -> tuple[Turn, ...]:
    """The turns that are kept, with the long ones cut."""
    fitting: list[Turn] = []
    room = LENGTH
    for turn in turns:
        fitting.append(_cut(turn, min(TURN_LENGTH, room)))
        room -= length_of(fitting[-1])
        if room <= 0:
            break
    return tuple(fitting)


def render(turns: Iterable[Turn]) -> str:
    """The conversation as Markdown, a heading a turn, ending in a line end."""
    return "\n".join(f"{_title(turn)}\n\n{_body(turn.text)}" for turn in turns)


def parse(text: str) -> tuple[Turn, ...]:
    """The turns that `render` was given; text before the first heading is no turn."""
    _, *parts = _TITLE.split(text)
    return tuple(
        Turn(Speaker(speaker), decode(body.strip("\n")), _moment(at))
        for speaker, at, body in zip(*[iter(parts)] * 3, strict=True)
    )


def pages(text: str, most: int) -> list[str]:
    """A rendered conversation in parts of at most `most` characters.

    They are cut between turns; a turn that is longer than that is cut as well. Text
    before the first turn is left out.
    """
    starts = [match.start() for match in _TITLE.finditer(text)]
    texts = [""]
    for start, end in pairwise([*starts, len(text)]):
        for at in range(start, end, most):
            part = text[at : min(end, at + most)]
            if len(texts[-1]) + len(part) > most:
                texts.append("")
            texts[-1] += part
    return texts


def _cut(turn: Turn, most: int) -> Turn:
    if len(turn.text) <= most:
        return turn
    return replace(turn, text=f"{turn.text[:most].rstrip()} {_CUT}")


def _title(turn: Turn) -> str:
    at = f", {turn.at.isoformat(timespec='seconds')}" if turn.at else ""
    return f"## {turn.speaker}{at}"


def _body(text: str) -> str:
    encoded = encode_paragraphs(text)
    return f"{encoded}\n" if encoded else ""


def _moment(text: str | None) -> datetime | None:
    try:
        return read_time(text) if text else None
    except ValueError:
        return None
