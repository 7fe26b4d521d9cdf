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
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import islice
from queue import SimpleQueue
from typing import BinaryIO, cast

from gitmem.documents.changes import Changed, Changes
from gitmem.resources import collect_rarely, running
from gitmem.search.documents import Fields, documents_of

_MANY = 500
"""Sessions that are worth the start of a process."""
_MOST = 4
"""Workers: this process reads and writes faster than so many cut words."""
_PORTION = 20
"""Sessions that a worker is given at once."""
_AHEAD = 8
"""Portions that are begun before they are asked for: during a commit, for instance."""

Made = tuple[Changed, list[Fields]]
"""What changed, and its documents in the index: none where it was removed."""


def documented(changes: Changes) -> Iterator[Made]:
    """Each change of `changes` with its documents, in their order."""
    number = min(_MOST, os.cpu_count() or 1)
    portions = _portions(changes.documents)
    if changes.total < _MANY or number == 1:
        for portion in portions:
            yield from _made(portion)
        return
    with ExitStack() as stack:
        idle = SimpleQueue[_Worker]()
        for _ in range(number):
            worker = _started()
            stack.callback(worker.communicate)  # its input ends, and so does it
            idle.put(worker)
        threads = ThreadPoolExecutor(number)
        stack.callback(threads.shutdown, cancel_futures=True)
        begun = deque[Future[list[Made]]]()
        for portion in portions:
            begun.append(threads.submit(_made_by, idle, portion))
            if len(begun) > _AHEAD:
                yield from begun.popleft().result()
        for each in begun:
            yield from each.result()


_Worker = subprocess.Popen[bytes]
"""A process that makes one portion at a time."""


def _started() -> _Worker:
    return subprocess.Popen(
        running("gitmem.search.workers"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _made_by(idle: "SimpleQueue[_Worker]", portion: list[Changed]) -> list[Made]:
    """Return what an idle worker makes of a portion; made here if it has ended."""
    worker = idle.get()
    given, made = cast("BinaryIO", worker.stdin), cast("BinaryIO", worker.stdout)
    try:
        pickle.dump(portion, given)
        given.flush()
        return [*zip(portion, pickle.load(made), strict=True)]  # noqa: S301 - our own
    except (OSError, EOFError, pickle.UnpicklingError):
        return _made(portion)
    finally:
        idle.put(worker)


def work(given: BinaryIO, made: BinaryIO) -> None:
    """What a worker does."""
    with suppress(EOFError, OSError):
        while True:
            pickle.dump(_documents(pickle.load(given)), made)  # noqa: S301 - our own
            made.flush()


def _portions(changes: Iterable[Changed]) -> Iterator[list[Changed]]:
    each = iter(changes)
    return iter(lambda: [*islice(each, _PORTION)], [])


def _made(portion: list[Changed]) -> list[Made]:
    return [*zip(portion, _documents(portion), strict=True)]


def _documents(portion: Iterable[Changed]) -> list[list[Fields]]:
    return [
        [*documents_of(entry)] if (entry := change.entry()) else []
        for change in portion
    ]


if __name__ == "__main__":
    collect_rarely()
    work(sys.stdin.buffer, sys.stdout.buffer)
