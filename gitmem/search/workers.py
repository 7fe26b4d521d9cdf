"""Documents made by other processes: to cut words is most of the work of an index.

A worker reads sessions from its standard input and writes their documents to its
standard output, pickled, until its input ends. So none outlives whoever started it.
"""

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import chain, islice
from typing import BinaryIO, Self, cast

from gitmem.documents.changes import Changes, StoredTexts
from gitmem.resources import running
from gitmem.search.documents import Fields, documents_of

_MANY = 500
"""Sessions that are worth the start of a process."""
_MOST = 4
"""Workers: this process reads and writes faster than so many cut words."""
_PORTION = 20
"""Sessions that a worker is given at once."""

Change = tuple[str, StoredTexts | None]
Made = list[tuple[str, list[Fields]]]


def documented(changes: Changes) -> Iterator[tuple[str, list[Fields]]]:
    """The id and the documents of each session; none of one that was removed."""
    number = min(_MOST, os.cpu_count() or 1)
    portions = _portions(changes.sessions)
    if changes.total < _MANY or number == 1:
        yield from chain.from_iterable(map(_made, portions))
        return
    with ExitStack() as stack:
        workers = deque(stack.enter_context(_Worker()) for _ in range(number))
        for portion in portions:
            done = workers[0].result()
            workers[0].begin(portion)
            workers.rotate(-1)
            yield from done
        for worker in workers:
            yield from worker.result()


class _Worker:
    """A process that has one portion at a time."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            running("gitmem.search.workers"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._given = cast("BinaryIO", self._process.stdin)
        self._made = cast("BinaryIO", self._process.stdout)
        self._portion: list[Change] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._given, self._made):
            with suppress(OSError):  # it has ended
                pipe.close()
        self._process.wait()

    def begin(self, portion: list[Change]) -> None:
        """Where the process has ended, `result` sees to it."""
        self._portion = portion
        with suppress(OSError):
            pickle.dump(portion, self._given)
            self._given.flush()

    def result(self) -> Made:
        """What was begun last; made here where the process has ended."""
        portion, self._portion = self._portion, []
        if not portion:
            return []
        try:
            made: Made = pickle.load(self._made)  # noqa: S301 - our own
        except (OSError, EOFError, pickle.UnpicklingError):
            return _made(portion)
        return made


def work(given: BinaryIO, made: BinaryIO) -> None:
    """What a worker does."""
    with suppress(EOFError, OSError):
        while True:
            pickle.dump(_made(pickle.load(given)), made)  # noqa: S301 - our own
            made.flush()


def _portions(changes: Iterable[Change]) -> Iterator[list[Change]]:
    each = iter(changes)
    return iter(lambda: [*islice(each, _PORTION)], [])


def _made(changes: Iterable[Change]) -> Made:
    return [(each, [*_documents(texts)]) for each, texts in changes]


def _documents(texts: StoredTexts | None) -> Iterator[Fields]:
    if texts:
        yield from documents_of(texts.told())


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer)
