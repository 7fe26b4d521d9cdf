"""Tantivy's documents made by other processes: to cut words is most of the work.

A worker reads changes from its standard input and writes what the index holds of them
to its standard output, pickled, until its input ends. So none outlives whoever started
it.
"""

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from itertools import islice
from typing import BinaryIO, Self, cast

from gitmem.documents.changes import Changed, Changes
from gitmem.resources import running
from gitmem.search.documents import Fields, documents_of

_MANY = 500
"""Sessions that are worth the start of a process."""
_MOST = 4
"""Workers: this process reads and writes faster than so many cut words."""
_PORTION = 20
"""Sessions that a worker is given at once."""

Made = tuple[Changed, list[Fields]]
"""What changed, and its documents in the index: none where it was removed."""


def documented(changes: Changes) -> Iterator[Made]:
    """Each change of `changes` with its documents, in their order."""
    number = min(_MOST, os.cpu_count() or 1)
    portions = _portions(changes.documents)
    if changes.total < _MANY or number == 1:
        for portion in portions:
            yield from zip(portion, _documents(portion), strict=True)
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
        self._portion: list[Changed] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._given, self._made):
            with suppress(OSError):  # it has ended
                pipe.close()
        self._process.wait()

    def begin(self, portion: list[Changed]) -> None:
        """Where the process has ended, `result` sees to it."""
        self._portion = portion
        with suppress(OSError):
            pickle.dump(portion, self._given)
            self._given.flush()

    def result(self) -> list[Made]:
        """What was begun last; made here where the process has ended."""
        portion, self._portion = self._portion, []
        if not portion:
            return []
        try:
            documents = pickle.load(self._made)  # noqa: S301 - our own
        except (OSError, EOFError, pickle.UnpicklingError):
            documents = _documents(portion)
        return [*zip(portion, documents, strict=True)]


def work(given: BinaryIO, made: BinaryIO) -> None:
    """What a worker does."""
    with suppress(EOFError, OSError):
        while True:
            pickle.dump(_documents(pickle.load(given)), made)  # noqa: S301 - our own
            made.flush()


def _portions(changes: Iterable[Changed]) -> Iterator[list[Changed]]:
    each = iter(changes)
    return iter(lambda: [*islice(each, _PORTION)], [])


def _documents(portion: Iterable[Changed]) -> list[list[Fields]]:
    return [
        [*documents_of(entry)] if (entry := change.entry()) else []
        for change in portion
    ]


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer)
