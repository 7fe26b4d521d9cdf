"""More sessions in the words of real ones: sentences of a few of them, mixed."""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from bench.data import Asked, Kept
from bench.wording import telling, terms

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.session.session import GoalSource, Session

_SENTENCES = 30
_ENDS = re.compile(r"\n+|(?<=[.!?])\s+")


def grown(kept: Iterable[Kept], count: int, asked: Sequence[Asked]) -> Iterator[Kept]:
    """Sessions that answer none of `asked`."""
    chance = random.Random(4)
    lent = [[*_sentences(one, asked)] for one in kept]
    for number in range(count):
        lenders = chance.sample([each for each in lent if each], chance.randint(3, 6))
        lines = [chance.choice(chance.choice(lenders)) for _ in range(_SENTENCES)]
        yield _session(number, lines)


def _sentences(one: Kept, asked: Iterable[Asked]) -> Iterator[str]:
    """Those without two words of a query that the session answers."""
    queries = [_words(each.text) for each in asked if one.id in each.gold]
    for turn in one.turns:
        for line in _ENDS.split(turn.text):
            words = _words(line)
            if words and all(len(words & query) < 2 for query in queries):
                yield line


def _words(text: str) -> set[str]:
    return {*terms(" ".join(telling(text)))}


def _session(number: int, lines: Sequence[str]) -> Kept:
    at = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=7 * number)
    session = Session(
        id=f"{at:%Y-%m-%d}-{number:036x}",
        tool="claude-code",
        project="bench",
        client_session_id=f"{number:036x}",
        started_at=at,
        updated_at=at,
        goal=lines[0],
        goal_source=GoalSource.DERIVED,
        prompts=tuple(lines[:3]),
    )
    speakers = (Speaker.PERSON, Speaker.ASSISTANT)
    turns = (
        Turn(speaker, text)
        for speaker, text in zip(
            speakers, ("\n".join(lines[:3]), "\n".join(lines[3:])), strict=True
        )
    )
    return Kept(session, tuple(turns))
