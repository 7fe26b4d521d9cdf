"""`ocm serve`: the standard streams, and who answers what is asked first.

The SDK takes a second to load, and clients wait few for `server/discover` or
`initialize`, with which they all begin. So these are answered before it is loaded.
"""

import json
import os
from contextlib import suppress
from threading import Lock
from typing import TextIO, cast

from gitmem.server.introduction import (
    INSTRUCTIONS,
    NOT_ASKED,
    discovered,
    initialized,
)


def serve(*, is_opt_in: bool = False) -> None:
    """Serve the client at the other end of standard input until it hangs up.

    Raises BrokenPipeError where it does not wait for its answers.
    """
    wire = Wire(NOT_ASKED if is_opt_in else INSTRUCTIONS)
    if wire.answer_first():
        from gitmem.server.main import run

        run(cast("TextIO", wire), is_opt_in=is_opt_in)


class Wire:
    """The files that the SDK reads messages from and writes answers to.

    What else reads or prints in this process reads nothing, and prints to standard
    error.
    """

    def __init__(self, instructions: str) -> None:
        self._instructions = instructions
        self._requests = os.fdopen(os.dup(0), "rb")
        self._answers = os.fdopen(os.dup(1), "wb", buffering=0)
        self._writing = Lock()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self._first = b""
        """The first message, for the SDK; empty once it has that."""
        self._is_initialized = False
        """Whether the client has the answer that the SDK gives next."""

    def answer_first(self) -> bool:
        """Answer the first message, as far as possible; False where there is none."""
        line = self._requests.readline()
        if not self._answers_discover(line):
            self._first = line
            if answer := initialized(_parsed(line), self._instructions):
                self._send(answer)
                self._is_initialized = True
        return bool(line)

    def readline(self) -> str:
        """Return the next message for the SDK, or "" at the end.

        `server/discover` is none: after it the SDK refuses `initialize`, which a client
        sends that did not wait for the answer.
        """
        line, self._first = self._first or self._requests.readline(), b""
        while self._answers_discover(line):
            line = self._requests.readline()
        return line.decode(errors="replace")

    def write(self, line: str) -> None:
        if self._is_initialized:
            self._is_initialized = False
        else:
            self._send(line)

    def flush(self) -> None:
        """Nothing waits to be written."""

    def _answers_discover(self, line: bytes) -> bool:
        answer = b"discover" in line and discovered(_parsed(line), self._instructions)
        if answer:
            self._send(answer)
        return bool(answer)

    def _send(self, line: str) -> None:
        rest = line.encode()
        with self._writing:
            while rest:
                rest = rest[self._answers.write(rest) :]


def _parsed(line: bytes) -> object:
    with suppress(ValueError, RecursionError):
        return json.loads(line)
    return None
