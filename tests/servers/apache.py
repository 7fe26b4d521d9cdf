"""Repositories over http: Apache and the real `git http-backend`."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from servers.scene import Scene, Server, free_port, listens_at, program, running

_MODULES = (
    *("mpm_prefork", "authn_core", "authn_file", "authz_core", "authz_user"),
    *("auth_basic", "alias", "cgi", "env", "setenvif", "reqtimeout"),
)
_LOAD = "LoadModule {0}_module /usr/lib/apache2/modules/mod_{0}.so"
_SETTINGS = """
ServerRoot {folder}
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
DefaultRuntimeDir {folder}
KeepAlive Off
{modules}
{settings}
"""
_GIT = """
SetEnv GIT_PROJECT_ROOT {folder}
SetEnv GIT_HTTP_EXPORT_ALL
ScriptAlias / {backend}/
<Location />
  {rules}
</Location>
"""
BASIC = """
  AuthType Basic
  AuthName git
  AuthUserFile {folder}/users
"""


def apache(
    rules: str = BASIC + "Require valid-user",
    *,
    user: str = "ada:right@",
) -> Server:
    """`rules` are those of the location; braces are doubled.

    There is one user, `ada` with the password `right`.
    """

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        port, folder = free_port(), scene.folder
        backend = program("git-http-backend", "git")
        values = {"port": port, "folder": folder, "user": user, "backend": backend}
        values["rules"] = rules.format(**values)
        values["settings"] = _GIT.format(**values)
        values["modules"] = "\n".join(map(_LOAD.format, _MODULES))
        (folder / "apache.conf").write_text(_SETTINGS.format(**values))
        (folder / "users").write_text(users())
        apache2 = [program("apache2", "apache2"), "-X", "-f"]
        command = [*_not_as_root(), *apache2, f"{folder}/apache.conf"]
        with running(command, folder / "apache.out", listens_at(port)):
            yield f"http://{user}127.0.0.1:{port}/hub.git"

    return serve


def users() -> str:
    """A file of passwords with the one user."""
    openssl = program("openssl", "openssl")
    made = subprocess.run(
        [openssl, "passwd", "-apr1", "right"],
        check=True,
        capture_output=True,
        text=True,
    )
    return f"ada:{made.stdout}"


def _not_as_root() -> list[str]:
    """Apache serves nothing as root; in there it is somebody else, whose is all."""
    if os.geteuid() != 0:
        return []
    unshare = program("unshare", "util-linux")
    return [unshare, "--user", "--map-user=1000", "--map-group=1000"]
