"""Cut documents into words in other processes, which is most work of building an index.

A worker reads pickled changes from its standard input and writes their index documents
to its standard output until its input ends, so it never outlives its parent.
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
from gitmem.resources import collect_rarely, module_command
from gitmem.search.documents import Fields, documents_of

_MANY = 500
"""Least sessions for which processes are started."""
_MOST = 4
"""Most workers: more would wait for this process, which reads and writes."""
_PORTION = 20
"""Sessions in one request to a worker."""
_AHEAD = 8
"""Portions in work ahead of the writer, so that workers go on during a commit."""

ChangeDocuments = tuple[Changed, list[Fields]]
"""A change, and its documents in the index: none where it was removed."""


def with_documents(changes: Changes) -> Iterator[ChangeDocuments]:
    """Yield each change with its documents, in order."""
    number = min(_MOST, os.cpu_count() or 1)
    portions = _portions(changes.documents)
    if changes.total < _MANY or number == 1:
        for portion in portions:
            yield from _cut_portion(portion)
        return
    with ExitStack() as stack:
        idle = SimpleQueue[_Worker]()
        for _ in range(number):
            worker = _start_worker()
            stack.callback(worker.communicate)  # its input ends, and so does it
            idle.put(worker)
        threads = ThreadPoolExecutor(number)
        stack.callback(threads.shutdown, cancel_futures=True)
        begun = deque[Future[list[ChangeDocuments]]]()
        for portion in portions:
            begun.append(threads.submit(_cut_by_worker, idle, portion))
            if len(begun) > _AHEAD:
                yield from begun.popleft().result()
        for future in begun:
            yield from future.result()


_Worker = subprocess.Popen[bytes]
"""A process that works on one portion at a time."""


def _start_worker() -> _Worker:
    return subprocess.Popen(
        module_command("gitmem.search.workers"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


def _cut_by_worker(
    idle: "SimpleQueue[_Worker]", portion: list[Changed]
) -> list[ChangeDocuments]:
    """Have an idle worker cut a portion, or do it here if the worker has died."""
    worker = idle.get()
    requests, replies = cast("BinaryIO", worker.stdin), cast("BinaryIO", worker.stdout)
    try:
        pickle.dump(portion, requests)
        requests.flush()
        return [*zip(portion, pickle.load(replies), strict=True)]  # noqa: S301 - our own
    except (OSError, EOFError, pickle.UnpicklingError):  # it was killed, or ran out
        return _cut_portion(portion)
    finally:
        idle.put(worker)


def work(requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the input ends, as a worker process does."""
    with suppress(EOFError, OSError):
        while True:
            pickle.dump(_documents(pickle.load(requests)), replies)  # noqa: S301 - our own
            replies.flush()


def _portions(changes: Iterable[Changed]) -> Iterator[list[Changed]]:
    remaining = iter(changes)
    return iter(lambda: [*islice(remaining, _PORTION)], [])


def _cut_portion(portion: list[Changed]) -> list[ChangeDocuments]:
    return [*zip(portion, _documents(portion), strict=True)]


def _documents(portion: Iterable[Changed]) -> list[list[Fields]]:
    return [
        [*documents_of(entry)] if (entry := change.entry()) else []
        for change in portion
    ]


if __name__ == "__main__":
    collect_rarely()
    work(sys.stdin.buffer, sys.stdout.buffer)
