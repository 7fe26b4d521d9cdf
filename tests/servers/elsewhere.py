"""What is no server: a folder, an address where nobody is."""

from collections.abc import Iterator
from contextlib import contextmanager

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
