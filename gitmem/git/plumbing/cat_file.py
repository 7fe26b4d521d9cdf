"""One git process that reads objects for as long as it is asked."""

import os
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, cast
from weakref import finalize

from gitmem.errors import Unavailable
from gitmem.frozen import frozen
from gitmem.git.command import RefusedError
from gitmem.git.values import Oid

_WITHOUT_OBJECT = (b" missing\n", b" ambiguous\n")


@frozen
class Stored:
    oid: Oid
    kind: str
    """`commit`, `tree`, `blob` or `tag`."""
    size: int
    """Of its content, in bytes."""
    content: bytes = b""


class CatFile:
    """`git cat-file --batch` or `--batch-check`, begun when it is first asked.

    One that died is begun anew, and so is one that belongs to the process that this
    one was forked from.
    """

    def __init__(
        self, command: list[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self._command = command
        self._folder = folder
        self._environment = environment
        self._turn = Lock()
        self._running: _Running | None = None

    def stored(self, name: str, most: int | None) -> Stored | None:
        """See Process.stored; of --batch."""
        with self._turn:
            found = self._header(name)
            if found is None:
                return None
            if most is not None and found.size > most:
                self._end()  # it would have to be read to get at what comes next
                raise ValueError(
                    f"it has {found.size:,} bytes, and {most:,} are allowed"
                )
            content = self._process().read(found.size)
            if content is None:
                raise self._died(name)
            return Stored(found.oid, found.kind, found.size, content)

    def header(self, name: str) -> Stored | None:
        """See Process.header; of --batch-check."""
        with self._turn:
            return self._header(name)

    def _header(self, name: str) -> Stored | None:
        """Ask for a header, again if the process died: somebody may have ended it."""
        line = self._process().ask(name)
        if not line:
            self._end()
            line = self._process().ask(name)
        if not line:
            raise self._died(name)
        if line.endswith(_WITHOUT_OBJECT):
            return None
        oid, kind, size = line.decode().split()
        return Stored(oid, kind, int(size))

    def _process(self) -> "_Running":
        if self._running is None or self._running.owner != os.getpid():
            self._running = _Running(self._command, self._folder, self._environment)
        return self._running

    def _died(self, name: str) -> RefusedError:
        said = self._process().said()
        status = self._end()
        return RefusedError(said or f"git ended as it read {name}", status)

    def _end(self) -> int:
        running, self._running = self._running, None
        return running.end() if running else 0


class _Running:
    """Ends with the object, and with this process."""

    def __init__(
        self, command: list[str], folder: Path, environment: Mapping[str, str]
    ) -> None:
        self.owner = os.getpid()
        self._errors = TemporaryFile()  # noqa: SIM115 - closed as the process ends
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
            )
        except OSError as error:
            raise Unavailable(
                "The git command does not run.", hint="Install git, or see to the PATH."
            ) from error
        self._finish = finalize(self, _finish, self._process, self._errors, self.owner)

    def ask(self, name: str) -> bytes:
        """Return the line that it answers with; nothing when it died."""
        stdin = cast("IO[bytes]", self._process.stdin)
        try:
            stdin.write(name.encode() + b"\n")
            stdin.flush()
        except BrokenPipeError:
            return b""
        line = self._output.readline()
        return line if line.endswith(b"\n") else b""

    def read(self, size: int) -> bytes | None:
        """Return what follows, and the end of its line; None when it died."""
        content = self._output.read(size + 1)
        return content[:-1] if len(content) == size + 1 else None

    def said(self) -> str:
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()

    def end(self) -> int:
        self._finish()
        return self._process.returncode or 0

    @property
    def _output(self) -> IO[bytes]:
        return cast("IO[bytes]", self._process.stdout)


def _finish(process: subprocess.Popen[bytes], errors: IO[bytes], owner: int) -> None:
    if os.getpid() != owner:  # a fork has no children of its parent
        return
    process.kill()
    for stream in (process.stdin, process.stdout, errors):
        with suppress(OSError):  # what could not be written to it is not wanted
            cast("IO[bytes]", stream).close()
    process.wait()
