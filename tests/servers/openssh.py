"""Repositories over ssh, with OpenSSH at both ends."""

import getpass
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from servers.scene import KEYS, Scene, Server, executable, free_port, program, running
from support.harness import git

ASKED = 'exec sh -c "$SSH_ORIGINAL_COMMAND"'
"""What runs at the server by default: the command that git asks for."""


def openssh(
    entry: str = ASKED,
    *,
    key: str = "{folder}/user",
    path: str = "/hub.git",
    known: str | None = "host",
    client: dict[str, str] | None = None,
) -> Server:
    """An sshd where each login runs the shell script `entry`.

    `key` is the client's, `known` the host key that it expects, `client` settings of
    ssh_config(5). `{folder}` in them is that of the scene.
    """

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        port, folder = free_port(), scene.folder
        _make_keys(folder)
        home = f"export HOME='{folder}' GIT_CONFIG_NOSYSTEM=1"
        executable(folder / "entry", f"{home}\n{entry}")
        if known:
            public = (folder / f"{known}.pub").read_text()
            (folder / "known").write_text(f"[127.0.0.1]:{port} {public}")
        _write(folder / "ssh_config", _CLIENT | {"IdentityFile": key} | (client or {}))
        here = {"ListenAddress": f"127.0.0.1:{port}"}
        _write(folder / "sshd_config", _SERVER | here)
        git(scene.clone, "config", "core.sshCommand", f"ssh -F {folder}/ssh_config")
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # as its service does
        sshd = [program("sshd", "openssh-server"), "-D", "-e", "-f"]
        command = [*sshd, f"{folder}/sshd_config"]
        log = folder / "sshd.log"
        with running(command, log, lambda: b"listening" in log.read_bytes()):
            yield f"ssh://{getpass.getuser()}@127.0.0.1:{port}{folder}{path}"

    return serve


_CLIENT = {
    "UserKnownHostsFile": "{folder}/known",
    "IdentitiesOnly": "yes",
    "IdentityAgent": "none",
}
_SERVER = {
    "HostKey": "{folder}/host",
    "AuthorizedKeysFile": "{folder}/user.pub",
    "PidFile": "none",
    "StrictModes": "no",  # the folder of a test is below one that all may write to
    "UsePAM": "no",
    "ForceCommand": "{folder}/entry",
}


def _make_keys(folder: Path) -> None:
    for name in KEYS:
        made = ("-q", "-t", "ed25519", "-N", "", "-f", folder / name)
        subprocess.run(["ssh-keygen", *made], check=True)


def _write(file: Path, settings: Mapping[str, str]) -> None:
    lines = (f"{key} {value}\n" for key, value in settings.items())
    file.write_text("".join(lines).replace("{folder}", str(file.parent)))
