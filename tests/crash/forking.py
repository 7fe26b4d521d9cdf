"""Processes of gitmem that begin in milliseconds, as this one has loaded it for them.

    python tests/crash/forking.py

Each line on standard input is an `Order`, as JSON; the answer to it is an `Ended`, once
the process has ended or was killed with everything that it had started.
"""

import ctypes
import importlib
import json
import os
import pkgutil
import signal
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any


@dataclass(frozen=True, slots=True)
class Order:
    entry: str
    """`MODULE:FUNCTION`, or the name of a program."""
    arguments: list[str]
    folder: str
    variables: dict[str, str]
    stdin: str = ""
    kill_after: float | None = None
    """Seconds; None leaves the process alone."""


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    """Negative, the number of the signal that ended it."""
    out: str
    err: str
    seconds: float

    @property
    def is_killed(self) -> bool:
        return self.status == -signal.SIGKILL


@dataclass(slots=True)
class _Files:
    stdin: IO[bytes] = field(default_factory=TemporaryFile)
    out: IO[bytes] = field(default_factory=TemporaryFile)
    err: IO[bytes] = field(default_factory=TemporaryFile)

    def become_standard(self) -> None:
        for number, file in enumerate((self.stdin, self.out, self.err)):
            file.seek(0)
            os.dup2(file.fileno(), number)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    _adopt_orphans()
    _load_everything()
    print("{}", file=answers, flush=True)
    while line := sys.stdin.readline():
        ended = _ended(Order(**json.loads(line)))
        print(json.dumps(asdict(ended)), file=answers, flush=True)


def _adopt_orphans() -> None:
    """So that what a killed process started in a session of its own is killed, too."""
    if sys.platform == "linux":
        set_child_subreaper = 36
        ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def _load_everything() -> None:
    """But for the server, which is not needed here, and takes as long as all else."""
    import gitmem

    for module in pkgutil.walk_packages(gitmem.__path__, "gitmem."):
        if (
            not module.name.startswith("gitmem.server")
            and "__main__" not in module.name
        ):
            importlib.import_module(module.name)
    importlib.import_module("filelock")


def _ended(order: Order) -> Ended:
    files = _Files()
    files.stdin.write(order.stdin.encode("utf-8", "surrogatepass"))
    began = time.monotonic()
    process = os.fork()
    if not process:
        _become(order, files)
    with suppress(ProcessLookupError, PermissionError):
        os.setpgid(process, process)  # as it does itself, whoever comes first
    if order.kill_after is not None:
        time.sleep(order.kill_after)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    seconds = time.monotonic() - began
    if order.kill_after is not None:
        _kill_orphans()
    texts = (_text(files.out), _text(files.err))
    return Ended(status, *texts, seconds)


def _kill_orphans() -> None:
    while orphans := _children():
        for orphan in orphans:
            if not _is_of_a_remote(orphan):
                with suppress(ProcessLookupError):
                    os.kill(orphan, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(orphan, 0)


def _is_of_a_remote(process: int) -> bool:
    """Whether it works on another machine, as it were: it ends as it hears no more."""
    with suppress(OSError):
        return b"receive-pack" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def _children() -> list[int]:
    found = Path("/proc/self/task", str(os.getpid()), "children")
    return [int(each) for each in found.read_text().split()] if found.exists() else []


def _become(order: Order, files: _Files) -> None:
    """The process that is ordered; never comes back."""
    status = 1
    try:
        os.setpgid(0, 0)
        files.become_standard()
        os.environ.clear()
        os.environ.update(order.variables)
        time.tzset()
        os.chdir(order.folder)
        status = _run(order)
    except BaseException:  # noqa: BLE001 - what Python does at the end of a program
        sys.excepthook(*sys.exc_info())
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _run(order: Order) -> int:
    module, colon, function = order.entry.partition(":")
    if not colon:
        os.execvp(module, [module, *order.arguments])
    _open_standard_streams()
    _know_home()
    sys.argv = [module, *order.arguments]
    main: Any = getattr(importlib.import_module(module), function)
    try:
        main()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    return 0


def _open_standard_streams() -> None:
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - for the rest of its life
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def _know_home() -> None:
    """As libgit2 does where it is loaded anew."""
    import pygit2
    from pygit2.enums import ConfigLevel

    pygit2.settings.search_path[ConfigLevel.GLOBAL] = os.environ["HOME"]


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")


if __name__ == "__main__":
    main()
