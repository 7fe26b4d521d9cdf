"""One clone, one bare repository, and the servers that may stand between them."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from support.clones import Clone, travel
from support.harness import git, make_repository
from support.workspaces import saved_session, workspace_at

import gitmem

PACKAGE = Path(gitmem.__file__).parent.parent
PATIENCE = 20.0
"""Seconds until a server has to listen."""
KEYS = ("host", "user", "stranger")
"""Pairs for ssh."""


@dataclass(slots=True)
class Scene:
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    """Of the environment of `ocm`, beside those of the test."""

    @property
    def clone(self) -> Path:
        """Has one session, which it never sent."""
        return self.folder / "clone"

    @property
    def hub(self) -> Path:
        """The bare repository that is served."""
        return self.folder / "hub.git"

    def ocm(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs without a terminal, as a program of its own."""
        return subprocess.run(
            [sys.executable, "-m", "gitmem", *arguments],
            cwd=self.clone,
            env={**os.environ, "PYTHONPATH": str(PACKAGE), **self.variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


Change = Callable[[Scene], None]
"""Of the scene, before the server is there."""
Server = Callable[[Scene], AbstractContextManager[str]]
"""Serves the scene's bare repository; gives its URL."""


def make_scene(folder: Path, *, has_news: bool) -> Scene:
    """With `has_news` the bare repository has a session of somebody else."""
    scene, stage = Scene(folder), Path(_stage().name)
    shutil.copytree(stage / "clone", scene.clone)
    shutil.copytree(stage / ("news.git" if has_news else "hub.git"), scene.hub)
    return scene


@cache
def _stage() -> TemporaryDirectory[str]:
    """What scenes are copies of."""
    made = TemporaryDirectory(prefix="gitmem-")
    place = Path(made.name)
    clone = make_repository(place / "clone")
    for name in ("hub.git", "news.git"):
        git(place, "clone", "--quiet", "--bare", str(clone), name)
    git(clone, "config", "ocm.remote", "origin")
    git(clone, "config", "remote.origin.url", str(place / "news.git"))
    colleague = Clone(Path(shutil.copytree(clone, place / "colleague")))
    colleague.save("b", "Goal of a colleague")
    travel(colleague.workspace())
    saved_session(workspace_at(clone), goal="Goal of one")
    workspace_at(clone).store.replay()
    return made


def program(name: str, package: str) -> str:
    """Its path; fails the test where the Debian package is missing."""
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/lib/git-core")
    if path is None:
        pytest.fail(f"{name} is missing: apt-get install {package}", pytrace=False)
    return path


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(
    command: list[str], log: Path, listens: Callable[[], bool]
) -> Iterator[None]:
    """The server listens meanwhile; what it says is in `log`."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        _wait(process, log, listens)
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
        process.wait()


def _wait(
    process: subprocess.Popen[bytes], log: Path, listens: Callable[[], bool]
) -> None:
    until = time.monotonic() + PATIENCE
    while not listens():
        if process.poll() is not None or time.monotonic() > until:
            pytest.fail(f"{process.args!r}: {log.read_text('utf-8', 'replace')}")
        time.sleep(0.02)


def listens_at(port: int) -> Callable[[], bool]:
    def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    return listens


def executable(file: Path, script: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
