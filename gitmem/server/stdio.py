"""`ocm serve`: the standard streams, and who answers what is asked first.

The SDK takes a second to load, and clients wait few for `server/discover` or
`initialize`, with which they all begin. So these are answered before it is loaded.
"""

import os
from threading import Lock
from typing import TextIO, cast

from gitmem.server.introduction import discovered, initialized, instructions


def serve(*, is_opt_in: bool = False, is_lean: bool = False) -> None:
    """Serve the client at the other end of standard input until it hangs up.

    Raises BrokenPipeError where it does not wait for its answers.
    """
    wire = Wire(instructions(is_opt_in=is_opt_in, is_lean=is_lean))
    if wire.begin():
        from gitmem.server.main import run

        run(cast("TextIO", wire), is_opt_in=is_opt_in, is_lean=is_lean)


class Wire:
    """The file that the SDK reads messages from and writes answers to.

    What else reads or prints in this process reads nothing, and prints to standard
    error.
    """

    def __init__(self, instructions: str) -> None:
        self._instructions = instructions
        self._requests = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
        self._answers = os.fdopen(os.dup(1), "wb", buffering=0)
        self._writing = Lock()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self._first = ""
        """The first message, until the SDK has it."""
        self._is_initialized = False
        """True until the SDK's own answer to `initialize` was dropped."""

    def begin(self) -> bool:
        """Wait for a message and answer `initialize`; False where there is none."""
        self._first = self._next()
        if answer := initialized(self._first, self._instructions):
            self._send(answer)
            self._is_initialized = True
        return bool(self._first)

    def readline(self) -> str:
        message, self._first = self._first or self._next(), ""
        return message

    def write(self, message: str) -> None:
        if self._is_initialized:
            self._is_initialized = False
        else:
            self._send(message)

    def flush(self) -> None:
        """Nothing waits to be written."""

    def _next(self) -> str:
        """Return the next message for the SDK, or "" at the end.

        `server/discover` is none: after it the SDK refuses `initialize`, which a client
        sends that did not wait for the answer.
        """
        message = self._requests.readline()
        while answer := discovered(message, self._instructions):
            self._send(answer)
            message = self._requests.readline()
        return message

    def _send(self, message: str) -> None:
        rest = message.encode()
        with self._writing:
            while rest:
                rest = rest[self._answers.write(rest) :]
