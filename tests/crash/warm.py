"""Commands of gitmem as processes that begin at once, and end when a test wants it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from crash.forking import Ended, Order
from support.harness import bound_by_permissions

import gitmem

OCM = "gitmem.cli.main:main"
HOOK = "gitmem.hook.main:main"


@dataclass(frozen=True, slots=True)
class Command:
    """What is run, and where."""

    folder: Path
    arguments: tuple[str, ...]
    entry: str = OCM
    stdin: str = ""
    variables: dict[str, str] = field(default_factory=dict)


class Warm:
    """A process that has all of gitmem loaded, and forks."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ran(self, command: Command, kill_after: float | None = None) -> Ended:
        """The end of the command, which is killed after so many seconds."""
        order = Order(
            entry=command.entry,
            arguments=list(command.arguments),
            folder=str(command.folder),
            variables={**os.environ, **command.variables},
            stdin=command.stdin,
            kill_after=kill_after,
        )
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(asdict(order)), file=self._process.stdin, flush=True)
        return Ended(**json.loads(self._process.stdout.readline()))

    def succeeded(self, command: Command) -> Ended:
        ended = self.ran(command)
        assert ended.status == 0, f"{command.arguments}: {ended}"
        return ended

    def ocm(self, folder: Path, *arguments: str) -> Ended:
        return self.ran(Command(folder, arguments))


@contextmanager
def warm(**variables: str) -> Iterator[Warm]:
    """Bound by file permissions, whoever runs the tests."""
    tests, source = Path(__file__).parents[1], Path(gitmem.__file__).parents[1]
    path = os.pathsep.join([str(tests), str(source), *sys.path])
    with subprocess.Popen(
        bound_by_permissions([sys.executable, "-P", str(tests / "crash/forking.py")]),
        env={**os.environ, "PYTHONPATH": path, **variables},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "{}\n"
        yield Warm(process)
        assert process.stdin
        process.stdin.close()
