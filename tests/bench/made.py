"""Made sessions: as many as are wanted, of the usual size.

Their sentences are what modules of Python say of themselves.
"""

import importlib
import inspect
import random
import warnings
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache

from bench.data import Kept

from gitmem.documents.conversation.conversation import Speaker, Turn
from gitmem.documents.session.session import Session
from gitmem.git.values import Change, FileChange

_TOLD = """
    argparse asyncio cmd colorsys csv difflib fractions gettext heapq http
    ipaddress mailbox pathlib poplib queue sched shelve sqlite3 string textwrap
    urllib.request wave xml.dom.minidom
"""

_ROUNDS = 12
"""Prompts in each conversation, each with an answer: some 15 passages of 150 words."""


def sessions(count: int) -> Iterator[Session]:
    """Documents alone, about 260 words and five files each."""
    chance = random.Random(3)
    return (_session(number, _Topic(chance)) for number in range(count))


def kept(count: int) -> Iterator[Kept]:
    """Documents with conversations of some 15 passages; the same ones every time."""
    chance = random.Random(3)
    for number in range(count):
        topic = _Topic(chance)
        yield Kept(_session(number, topic), tuple(_turns(topic)))


class _Topic:
    """What one session is about: two modules, and names that few others have."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._own = _sentences(*chance.sample(_TOLD.split(), 2))
        self._all = _sentences(*_TOLD.split())
        self.names = ["_".join(chance.choices(_words(), k=3)) for _ in range(8)]

    def lines(self, count: int) -> list[str]:
        """Half of them on the topic; every tenth names something."""
        half = self.chance.choices(self._own, k=(count + 1) // 2)
        found = half + self.chance.choices(self._all, k=count // 2)
        for at in range(0, count, 10):
            found[at] += f" {self.chance.choice(self.names)}"
        return found


def _session(number: int, topic: _Topic) -> Session:
    at = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=37 * number)
    return Session(
        id=f"{at:%Y-%m-%d_%H-%M}_cursor_{number:08x}",
        tool="cursor",
        project="made",
        client_session_id=str(number),
        started_at=at,
        updated_at=at,
        goal=topic.lines(1)[0],
        work_completed=tuple(topic.lines(6)),
        work_pending=tuple(topic.lines(3)),
        decisions=tuple(topic.lines(5)),
        work_summary=tuple(topic.lines(14)),
        files=tuple(
            FileChange(f"src/{name.replace('_', '/', 1)}.py", Change.MODIFIED)
            for name in topic.names[: topic.chance.randint(1, 8)]
        ),
    )


def _turns(topic: _Topic) -> Iterator[Turn]:
    for _ in range(_ROUNDS):
        yield Turn(Speaker.PERSON, "\n".join(topic.lines(2)))
        yield Turn(Speaker.ASSISTANT, "\n".join(topic.lines(18)))


@cache
def _words() -> Sequence[str]:
    words = {
        word.lower() for line in _sentences(*_TOLD.split()) for word in line.split()
    }
    return sorted(word for word in words if word.isalpha() and len(word) > 3)


@cache
def _sentences(*modules: str) -> Sequence[str]:
    """Lines of documentation that have from 4 to 25 words."""
    warnings.simplefilter("ignore")
    texts = (text for name in modules for text in _documentation(name))
    found = {line.strip() for text in texts for line in text.splitlines()}
    return sorted(line for line in found if 4 <= len(line.split()) <= 25)


@cache
def _documentation(name: str) -> Sequence[str]:
    module = importlib.import_module(name)
    things = [module, *vars(module).values()]
    members = [
        member
        for thing in things
        if inspect.isclass(thing)
        for member in vars(thing).values()
    ]
    texts = [getattr(thing, "__doc__", None) for thing in [*things, *members]]
    return [text for text in texts if isinstance(text, str)]
