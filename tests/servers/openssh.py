"""A clone and a bare repository, with OpenSSH between them."""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.clones import make_clones, remote_in, travel
from support.harness import git, script

import gitmem

PACKAGE = Path(gitmem.__file__).parent.parent
PATIENCE = 20.0
"""Seconds until a server has to listen."""
KEYS = ("host", "user", "stranger")
"""Names of the pairs of keys."""
COMMAND = 'exec sh -c "$SSH_ORIGINAL_COMMAND"'
"""The command that git asks the server for."""
_CLIENT_SETTINGS = {
    "UserKnownHostsFile": "{folder}/known",
    "IdentitiesOnly": "yes",
    "IdentityAgent": "none",
}
_SERVER_SETTINGS = {
    "HostKey": "{folder}/host",
    "AuthorizedKeysFile": "{folder}/user.pub",
    "PidFile": "none",
    "StrictModes": "no",  # the folder of a test is below one that all may write to
    "UsePAM": "no",
    "ForceCommand": "{folder}/entry",
}


@dataclass(frozen=True, slots=True)
class Scene:
    folder: Path

    @property
    def clone(self) -> Path:
        """The repository of somebody with one session that was never sent."""
        return self.folder / "0"

    @property
    def hub(self) -> Path:
        """The bare repository that is served, with a session of somebody else."""
        return remote_in(self.folder)

    def ocm(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `ocm` as a program, without a terminal."""
        return subprocess.run(
            [sys.executable, "-m", "gitmem", *arguments],
            cwd=self.clone,
            env={**os.environ, "PYTHONPATH": str(PACKAGE)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def make_scene(folder: Path) -> Scene:
    mine, colleague = make_clones(folder, 2)
    colleague.save("b", "Goal of a colleague")
    travel(colleague.workspace())
    mine.save("a", "Goal of one")
    mine.workspace().store.replay()
    return Scene(folder)


@contextmanager
def openssh(
    scene: Scene,
    entry: str = COMMAND,
    *,
    key: str = "user",
    path: str = "",
    host_key: str | None = "host",
) -> Iterator[None]:
    """Serve the bare repository by an sshd where each login runs the script `entry`.

    `key` names the client's key, `host_key` the one that it expects of the host.
    """
    folder, port = scene.folder, _free_port()
    _make_keys(folder)
    script(folder / "entry", f"export HOME='{folder}' GIT_CONFIG_NOSYSTEM=1\n{entry}")
    if host_key:
        public = (folder / f"{host_key}.pub").read_text()
        (folder / "known").write_text(f"[127.0.0.1]:{port} {public}")
    identity = {"IdentityFile": f"{{folder}}/{key}"}
    _write_settings(folder / "ssh_config", _CLIENT_SETTINGS | identity)
    address = {"ListenAddress": f"127.0.0.1:{port}"}
    _write_settings(folder / "sshd_config", _SERVER_SETTINGS | address)
    git(scene.clone, "config", "core.sshCommand", f"ssh -F {folder}/ssh_config")
    url = f"ssh://{getpass.getuser()}@127.0.0.1:{port}{path or scene.hub}"
    git(scene.clone, "config", "remote.origin.url", url)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # as its service does
    with _listening_sshd(folder):
        yield


@contextmanager
def _listening_sshd(folder: Path) -> Iterator[None]:
    log = folder / "sshd.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [_sshd(), "-D", "-e", "-f", f"{folder}/sshd_config"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait_until_it_listens(process, log)
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
        process.wait()


def _wait_until_it_listens(process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while b"listening" not in log.read_bytes():
        if process.poll() is not None or time.monotonic() > deadline:
            pytest.fail(log.read_text("utf-8", "replace"))
        time.sleep(0.02)


def _sshd() -> str:
    path = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if path is None:
        pytest.fail("sshd is missing: apt-get install openssh-server", pytrace=False)
    return path


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _make_keys(folder: Path) -> None:
    for name in KEYS:
        options = ("-q", "-t", "ed25519", "-N", "", "-f", folder / name)
        subprocess.run(["ssh-keygen", *options], check=True)


def _write_settings(file: Path, settings: Mapping[str, str]) -> None:
    lines = (f"{key} {value}\n" for key, value in settings.items())
    file.write_text("".join(lines).replace("{folder}", str(file.parent)))
