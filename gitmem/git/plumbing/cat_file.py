"""One git process that reads objects for as long as it is asked."""

import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, cast
from weakref import finalize

from gitmem.frozen import frozen
from gitmem.git.command import RefusedError, did_not_run
from gitmem.git.values import Oid

_WITHOUT_OBJECT = (b" missing\n", b" ambiguous\n")


@frozen
class Stored:
    oid: Oid
    kind: str
    """`commit`, `tree`, `blob` or `tag`."""
    size: int
    """Bytes of the content."""
    content: bytes = b""


class CatFile:
    """`git cat-file --batch` or `--batch-check`, begun when it is first asked.

    One that died is begun anew, and so is one that belongs to the process that this
    one was forked from. It ends with the object, and with this process.
    """

    def __init__(
        self, command: list[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._command = command
        self._folder = folder
        self._environment = environment
        self._turn = Lock()
        self._owner = 0
        self._finish: Callable[[], object] | None = None

    def stored(self, name: str, most: int | None) -> Stored | None:
        """See Process.stored; of --batch."""
        with self._turn:
            header = self._header(name)
            if header is None:
                return None
            if most is not None and header.size > most:
                self._end()  # it would have to be read to get at what comes next
                raise ValueError(
                    f"it has {header.size:,} bytes, and {most:,} are allowed"
                )
            content = self._output.read(header.size + 1)  # and the end of its line
            if len(content) <= header.size:
                raise self._died(name)
            return Stored(header.oid, header.kind, header.size, content[:-1])

    def header(self, name: str) -> Stored | None:
        """See Process.header; of --batch-check."""
        with self._turn:
            return self._header(name)

    def _header(self, name: str) -> Stored | None:
        """Ask for a header, again if the process died: somebody may have ended it."""
        line = self._answer(name)
        if not line:
            self._end()
            line = self._answer(name)
        if not line:
            raise self._died(name)
        if line.endswith(_WITHOUT_OBJECT):
            return None
        oid, kind, size = line.decode().split()
        return Stored(oid, kind, int(size))

    def _answer(self, name: str) -> bytes:
        """Return the line that it answers with; nothing when it died."""
        if self._finish is None or self._owner != os.getpid():
            self._begin()
        try:
            self._input.write(name.encode() + b"\n")
            self._input.flush()
        except BrokenPipeError:
            return b""
        line = self._output.readline()
        return line if line.endswith(b"\n") else b""

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._errors = TemporaryFile()  # noqa: SIM115 - closed as the process ends
        try:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                env=dict(self._environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
        except OSError as error:
            raise did_not_run(error) from error
        self._input = cast("IO[bytes]", self._process.stdin)
        self._output = cast("IO[bytes]", self._process.stdout)
        streams = self._input, self._output, self._errors
        self._finish = finalize(self, _finish, self._process, streams, self._owner)

    def _died(self, name: str) -> RefusedError:
        self._process.kill()
        status = self._process.wait()
        self._errors.seek(0)
        message = self._errors.read().decode("utf-8", "replace").strip()
        self._end()
        return RefusedError(message or f"git ended as it read {name}", status)

    def _end(self) -> None:
        if self._finish:
            self._finish()
        self._finish = None


def _finish(
    process: subprocess.Popen[bytes], streams: Iterable[IO[bytes]], owner: int
) -> None:
    if os.getpid() != owner:  # a fork has no children of its parent
        return
    process.kill()
    for stream in streams:
        with suppress(OSError):  # what could not be written to it is not wanted
            stream.close()
    process.wait()
