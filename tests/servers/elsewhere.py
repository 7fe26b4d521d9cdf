"""What is no server: a folder, an address where nobody is, a port that is silent."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from servers.scene import Scene, Server, free_port
from support.http_server import serving


def at(url: str) -> Server:
    """`{folder}` is that of the scene; at `{port}` nothing listens."""

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        yield url.format(folder=scene.folder, port=free_port())

    return serve


HUB = at("{folder}/hub.git")


def http_backend() -> Server:
    """The real `git http-backend` behind a small server of Python's."""

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        with serving(scene.folder) as service:
            yield service.url("hub.git")

    return serve


def silent(scheme: str) -> Server:
    """Takes connections and says nothing."""

    @contextmanager
    def serve(_: Scene) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            yield f"{scheme}://127.0.0.1:{listener.getsockname()[1]}/hub.git"

    return serve


def crowded(server: Server) -> Server:
    """The server with one connection that somebody else holds."""

    @contextmanager
    def serve(scene: Scene) -> Iterator[str]:
        with server(scene) as url:
            port = int(url.split(":")[2].partition("/")[0])
            with socket.create_connection(("127.0.0.1", port)) as held:
                held.settimeout(0.5)
                with suppress(TimeoutError):  # there are servers that wait for a word
                    held.recv(1)
                yield url

    return serve
