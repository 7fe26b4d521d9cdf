"""Repositories that gitolite guards, behind OpenSSH."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from servers.openssh import openssh
from servers.scene import Scene, Server, program


def gitolite(rules: str) -> Server:
    """`rules` are those of the repository; the client is known as `ada`."""

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        home = scene.folder / "gitolite"
        home.mkdir()
        _set_up(scene, rules)
        entry = f"export HOME='{home}'; exec /usr/share/gitolite3/gitolite-shell ada"
        with openssh(entry)(scene) as url:
            yield url.replace(f"{scene.folder}/hub.git", "/hub")

    return serve


def _set_up(scene: Scene, rules: str) -> None:
    home = scene.folder / "gitolite"
    settings = home / ".gitolite" / "conf" / "gitolite.conf"

    def run(*arguments: str) -> None:
        subprocess.run(
            [program("gitolite", "gitolite3"), *arguments],
            env={**os.environ, "HOME": str(home)},
            check=True,
            capture_output=True,
        )

    run("setup", "--admin", "boss")
    settings.write_text(f"repo hub\n  {rules}\n")
    run("compile")
    hub = home / "repositories" / "hub.git"
    shutil.copytree(scene.hub, hub, dirs_exist_ok=True)
    run("setup", "--hooks-only")
