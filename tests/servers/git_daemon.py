"""Repositories over git's own protocol: `git daemon`."""

from collections.abc import Iterator
from contextlib import contextmanager

from servers.scene import Scene, Server, free_port, listens_at, program, running

EXPORTS = ("--export-all", "--enable=receive-pack")


def git_daemon(*options: str) -> Server:
    """`{folder}` in options is that of the scene."""

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        port, folder = free_port(), scene.folder
        daemon = [program("git-daemon", "git"), "--listen=127.0.0.1", f"--port={port}"]
        given = [each.format(folder=folder) for each in options]
        command = [*daemon, f"--base-path={folder}", "--reuseaddr", *given]
        with running(command, folder / "daemon.log", listens_at(port)):
            yield f"git://127.0.0.1:{port}/hub.git"

    return serve
