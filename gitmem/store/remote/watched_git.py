"""Run one git command that talks to a remote, bounded in time with all its children.

Git starts ssh, remote helpers and credential helpers, which survive it when it is
killed. So with a time limit they get a session of their own, without a terminal. A
person at a terminal needs no limit: the terminal ends all of them.
"""

import os
import re
import selectors
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, cast

from gitmem.frozen import frozen
from gitmem.git.command import did_not_run
from gitmem.redaction.redact import redact
from gitmem.text.patterns import pattern
from gitmem.waiting import Wait

_GRACE = 1.0
"""Seconds in which git may remove its lock files, after it was asked to end."""
_PULSE = 0.05
"""Seconds between looks whether git ended while somebody else holds its stderr open."""
_MOST_BYTES = 16_000_000
"""Bytes of output that are read."""
_MOST_LINES = 100
_MOST_LENGTH = 500
"""Characters of its output in a message."""
_LINE_END = re.compile(rb"[\r\n]+")
Notify = Callable[[str], None]
"""Is given what git says of its progress, a line at a time."""
_USER_OF_URL = pattern(r"(?<=://)[^/\s'\"]*@")


def ignore_progress(_: str) -> None:
    """Drop a line of progress."""


@frozen
class GitResult:
    """What a command printed, and how it ended."""

    status: int | None
    """None where it took too long."""
    output: bytes
    words: tuple[str, ...]
    """The last lines of what it said on stderr, as they came."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines without secrets; to find those takes longer than a fetch."""
        return tuple(without_secrets(word)[:_MOST_LENGTH] for word in self.words)


def run(
    arguments: list[str],
    folder: Path,
    environment: Mapping[str, str],
    patience: float | None,
    notify: Notify = ignore_progress,
) -> GitResult:
    """Run a git command for at most `patience` seconds; None where a person decides.

    `notify` is given each line of its stderr as it comes, without secrets. Raises
    Unavailable where there is no git command.
    """
    with TemporaryFile() as output, ExitStack() as stack:
        try:
            process = stack.enter_context(
                subprocess.Popen(
                    ["git", *arguments],
                    cwd=folder,
                    env=dict(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.PIPE,
                    start_new_session=patience is not None,
                )
            )
        except OSError as error:
            raise did_not_run(error) from error
        watch = _Watch(process, patience, notify)
        try:
            status = watch.status()
        finally:
            if process.returncode is None:
                _end(process, alone=patience is not None)
        watch.feed(b"\n")
        output.seek(0)
        printed = output.read(_MOST_BYTES)
        return GitResult(status, printed, tuple(watch.lines))


def without_secrets(text: str) -> str:
    """Remove user and password of URLs, and other secrets."""
    return redact(_USER_OF_URL.sub("", text))


class _Watch:
    """One process: what it says on stderr, and how long it may take."""

    def __init__(
        self, process: subprocess.Popen[bytes], patience: float | None, notify: Notify
    ) -> None:
        self._process = process
        self._notify = notify
        self._deadline = None if patience is None else time.monotonic() + patience
        self._begun = b""
        self.lines: deque[str] = deque(maxlen=_MOST_LINES)

    def status(self) -> int | None:
        """Wait for the exit status; None where it takes too long, and still runs.

        Stderr may stay open after git ended: a shared ssh connection has it, too. So
        whether git has ended is asked before each read: what it said last is read.
        """
        wait = Wait(lambda: "the remote, which git talks to")
        while self._deadline is None or time.monotonic() < self._deadline:
            status = self._process.poll()
            if data := _read_stderr(self._process, _PULSE):
                self.feed(data)
            elif status is not None:
                return status
            elif data is not None:  # stderr ended before git did
                with suppress(subprocess.TimeoutExpired):
                    return self._process.wait(_PULSE)
            if self._deadline is not None:
                wait.goes_on()
        return None

    def feed(self, data: bytes) -> None:
        """Take bytes of stderr; lines of a progress end in a carriage return."""
        *whole, begun = _LINE_END.split(self._begun + data)
        self._begun = begun[: 2 * _MOST_LENGTH]
        for line in whole:
            if text := line.decode("utf-8", "replace").rstrip():
                self.lines.append(text)
                if self._notify is not ignore_progress:
                    self._notify(without_secrets(text)[:_MOST_LENGTH])


def _read_stderr(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """Read stderr for some seconds; None where nothing came, empty at its end."""
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
    while (seconds_left := deadline - time.monotonic()) > 0 and _read_stderr(
        process, seconds_left
    ) != b"":
        pass
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
