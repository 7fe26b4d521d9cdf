"""One git command that talks to a remote: watched, bounded, and ended with all its kin.

Git starts ssh, remote helpers and credential helpers, which live on when it alone is
killed. So where there is a limit of time they all get a session of their own, in which
there is no terminal. A person at one needs no limit: the terminal ends all of them.
"""

import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast

from gitmem.errors import Unavailable
from gitmem.redaction.redact import redact
from gitmem.text.patterns import pattern
from gitmem.waiting import Wait

_GRACE = 1.0
"""Seconds in which git may remove its lock files, after it was asked to end."""
SILENCE = 30.0
"""Seconds in which git may say nothing and move nothing, where nobody sits there."""
_PULSE = 0.05
"""Seconds between looks whether git ended while somebody else holds its stderr open."""
_MOST_BYTES = 16_000_000
"""Of what it prints."""
_MOST_LINES = 100
_MOST_LENGTH = 500
"""Of what it says, for messages."""
_LINE_END = re.compile(rb"[\r\n]+")
_USER_OF_URL = pattern(r"(?<=://)[^/\s'\"]*@")


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a command."""

    status: int | None
    """None where it took too long."""
    output: bytes
    words: tuple[str, ...]
    """The last lines of what it said on stderr, as they came."""
    was_silent: bool = False
    """Whether it took too long because nothing came for SILENCE seconds."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The same without secrets; to look for them takes longer than a fetch."""
        return tuple(without_secrets(each)[:_MOST_LENGTH] for each in self.words)


@dataclass(frozen=True, slots=True)
class Command:
    arguments: list[str]
    folder: Path
    environment: Mapping[str, str]
    patience: float | None
    """Seconds that it may take; None where a person at a terminal decides."""
    told: Callable[[str], None]
    """Is given each line of its stderr as it comes, without secrets."""


def run(command: Command) -> Said:
    """Raises Unavailable where there is no git command."""
    lines = _Lines(command.told)
    with TemporaryFile() as output, _started(command, output) as process:
        try:
            watch = _Watch(process, command.patience)
            status = watch.status(lines)
        finally:
            if process.returncode is None:
                _end(process, alone=command.patience is not None)
        lines.end()
        output.seek(0)
        printed, words = output.read(_MOST_BYTES), tuple(lines.last)
        return Said(status, printed, words, watch.is_silent)


def unheard(_: str) -> None:
    """For where nobody looks at what git says."""


def without_secrets(text: str) -> str:
    """The text without the user and password of URLs, and without other secrets."""
    return redact(_USER_OF_URL.sub("", text))


class _Lines:
    """Bytes as they come -> lines; those of a progress end in a carriage return."""

    def __init__(self, told: Callable[[str], None]) -> None:
        self.last: deque[str] = deque(maxlen=_MOST_LINES)
        self._told = told
        self._begun = b""

    def add(self, data: bytes) -> None:
        *whole, begun = _LINE_END.split(self._begun + data)
        self._begun = begun[: 2 * _MOST_LENGTH]
        for line in whole:
            self._take(line)

    def end(self) -> None:
        self._take(self._begun)

    def _take(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip()
        if text:
            self.last.append(text)
            if self._told is not unheard:
                self._told(without_secrets(text)[:_MOST_LENGTH])


def _started(command: Command, output: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            ["git", *command.arguments],
            cwd=command.folder,
            env=dict(command.environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            start_new_session=command.patience is not None,
        )
    except OSError as error:
        raise Unavailable(
            "The git command does not run.", hint="Install git, or see to the PATH."
        ) from error


class _Watch:
    """Over one process: how long it may take, and how long it may be silent."""

    def __init__(
        self, process: subprocess.Popen[bytes], patience: float | None
    ) -> None:
        self._process = process
        self._deadline = time.monotonic() + (inf if patience is None else patience)
        self._silence = inf if patience is None else SILENCE
        self._heard_at = self._look_at = time.monotonic()
        self._moved: int | None = None
        self._wait = Wait(lambda: "the remote, which git talks to")
        self.is_silent = False

    def status(self, lines: _Lines) -> int | None:
        """The exit status; None where it took too long, and still runs.

        Stderr may stay open after git ended: a shared ssh connection has it, too.
        """
        while (left := self._deadline - time.monotonic()) > 0:
            data = _heard(self._process, min(_PULSE, left))
            if data:
                lines.add(data)
                self._heard_at = time.monotonic()
            elif data is None and self._process.poll() is not None:
                return self._process.returncode
            elif data is not None:
                return _ended(self._process, left)
            if self._is_still():
                self.is_silent = True
                return None
            if self._silence < inf:
                self._wait.goes_on()
        return None

    def _is_still(self) -> bool:
        """Whether nothing was said for so long, and git moved no byte meanwhile."""
        now, pause = time.monotonic(), self._silence / 3
        if now < max(self._look_at, self._heard_at + pause):
            return False
        self._look_at = now + pause
        before, self._moved = self._moved, _moved_by(self._process.pid)
        if before != self._moved:
            self._heard_at = now - pause
        return now - self._heard_at >= self._silence


def _moved_by(session: int) -> int:
    """Bytes that git's processes of a session read and wrote, where Linux tells.

    Those of ssh do not count: it keeps a connection alive whose other end hangs.
    """
    moved = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            name, _, rest = (process / "stat").read_text("ascii").rpartition(")")
            if int(rest.split()[3]) == session and "(git" in name:
                told = (process / "io").read_text("ascii").split()
                moved += int(told[1]) + int(told[3])  # rchar and wchar, see proc(5)
    return moved


def _ended(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    try:
        return process.wait(None if seconds == inf else seconds)
    except subprocess.TimeoutExpired:
        return None


def _heard(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """What it says within so many seconds; None for nothing, empty for no more ever."""
    with selectors.DefaultSelector() as selector:
        stderr = cast("IO[bytes]", process.stderr)
        selector.register(stderr, selectors.EVENT_READ)
        return os.read(stderr.fileno(), 65536) if selector.select(seconds) else None


def _end(process: subprocess.Popen[bytes], *, alone: bool) -> None:
    """End it, and all that it started.

    It is waited for last of all: until then no other process can get its number.
    """
    if not alone:
        process.terminate()
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + _GRACE
    while (left := deadline - time.monotonic()) > 0 and _heard(process, left) != b"":
        pass
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
