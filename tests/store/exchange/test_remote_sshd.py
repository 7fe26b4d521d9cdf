"""Memory travels over ssh, with OpenSSH at both ends."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from harness import git, make_repository

from gitmem.errors import Unreachable
from gitmem.store.exchange.fetching import fetch
from gitmem.store.exchange.pushing import push
from gitmem.store.exchange.remote import Line, Remote
from gitmem.store.git.libgit2.repository import Libgit2Repository, open_repository

SESSIONS = "refs/ocm/sessions"


@dataclass(frozen=True)
class Host:
    """A server on this machine that takes one key."""

    folder: Path
    """Of its keys `host` and `user`, of the file `known`, and of `memory.git`."""
    port: int

    @property
    def remote(self) -> Remote:
        place = f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}"
        return Remote(
            "memory", f"{place}{self.folder}/memory.git", {SESSIONS: SESSIONS}
        )

    def line(self, patience: float = 20.0, key: str = "user", more: str = "") -> Line:
        ssh = f"ssh -F none -o UserKnownHostsFile={self.folder}/known {more}"
        ssh += f" -o IdentitiesOnly=yes -o IdentityFile={self.folder}/{key}"
        variables = {**os.environ, "GIT_SSH_COMMAND": ssh}
        return Line(variables, patience)

    def is_known_by(self, key: str) -> None:
        public = (self.folder / f"{key}.pub").read_text()
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {public}")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path, _free_port())
    for key in ("host", "user", "stranger"):
        command = [
            "ssh-keygen",
            "-q",
            "-t",
            "ed25519",
            "-N",
            "",
            "-f",
            str(tmp_path / key),
        ]
        subprocess.run(command, check=True)
    git(tmp_path, "init", "-q", "--bare", "memory.git")
    host.is_known_by("host")
    server = _started(host)
    yield host
    server.terminate()
    server.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _started(host: Host) -> subprocess.Popen[bytes]:
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip("there is no sshd on this machine")
    settings = {
        "ListenAddress": f"127.0.0.1:{host.port}",
        "HostKey": host.folder / "host",
        "AuthorizedKeysFile": host.folder / "user.pub",
        "PidFile": "none",
        "StrictModes": "no",  # the folder of a test is below one that all may write to
    }
    lines = [f"{key} {value}\n" for key, value in settings.items()]
    (host.folder / "settings").write_text("".join(lines))
    command = [program, "-D", "-e", "-f", str(host.folder / "settings")]
    with (host.folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stderr=log)
    for _ in range(100):
        if server.poll() is not None:
            pytest.skip(f"sshd does not run: {(host.folder / 'log').read_text()}")
        if b"listening" in (host.folder / "log").read_bytes():
            return server
        time.sleep(0.05)
    server.kill()
    pytest.fail("sshd does not listen")


@pytest.fixture
def clone(tmp_path: Path) -> Libgit2Repository:
    return open_repository(make_repository(tmp_path / "clone"))


@pytest.mark.slow
def test_memory_travels_over_ssh(host: Host, clone: Libgit2Repository) -> None:
    tip = clone.head().commit
    assert tip
    assert push(clone, host.remote, {SESSIONS: tip}, host.line())
    clone.delete_ref("refs/ocm/remotes/memory/sessions")
    shared = "-o ControlMaster=auto -o ControlPath=%d/c -o ControlPersist=5"
    for more in ("", shared, shared):
        fetch(clone, host.remote, host.line(more=more.replace("%d", str(host.folder))))
    assert clone.resolve_ref("refs/ocm/remotes/memory/sessions") == tip


@pytest.mark.slow
def test_what_ssh_refuses_is_said_in_words(
    host: Host, clone: Libgit2Repository
) -> None:
    with pytest.raises(Unreachable, match="No access to memory"):
        fetch(clone, host.remote, host.line(key="stranger"))
    host.is_known_by("stranger")
    with pytest.raises(Unreachable, match="shows another key than before"):
        fetch(clone, host.remote, host.line())
    (host.folder / "known").unlink()
    with pytest.raises(Unreachable, match="ssh does not know the host of memory"):
        fetch(clone, host.remote, host.line())
