"""The standard streams, which a terminal, a pipe, or nobody reads."""

import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Pipe(FileIO):
    """A standard stream whose reader may leave; what comes then goes nowhere.

    So no command that writes to the memory stops in the middle.
    """

    has_reader = True

    def write(self, data: "ReadableBuffer", /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            _Pipe.has_reader = False
            abandon(self.fileno())
            return super().write(data)


def prepare() -> None:
    """Let no text fail for its characters, nor because nobody reads it any more."""
    sys.stdout = _prepared(sys.stdout, 1, sys.__stdout__)
    sys.stderr = _prepared(sys.stderr, 2, sys.__stderr__)


def has_reader() -> bool:
    """Return False where a reader of standard output or error left."""
    return _Pipe.has_reader


def abandon(descriptor: int) -> None:
    """Let what is left of a stream go nowhere, when Python closes it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _prepared(
    stream: TextIO | None, descriptor: int, original: TextIO | None
) -> TextIO:
    if stream is None:  # the caller may have closed it
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
        if stream is original:
            return TextIOWrapper(
                BufferedWriter(_Pipe(descriptor, "w", closefd=False)),
                stream.encoding,
                stream.errors,
                line_buffering=True,  # a link is there while its server runs
            )
    return stream
