"""An app of ours behind a real server, and requests to it as a client sends them."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from threading import Thread
from time import sleep

from starlette.types import ASGIApp

from gitmem.web.serving import LOOPBACK, listen, server

Response = tuple[int, dict[str, str], str]


@contextmanager
def served(app: ASGIApp) -> Iterator[int]:
    """The port at which the app answers."""
    running = server(app)
    with closing(listen(LOOPBACK, 0)) as listener:
        thread = Thread(target=running.run, args=([listener],))
        thread.start()
        while not running.started:
            sleep(0.01)
        yield listener.getsockname()[1]
        running.should_exit = True
        thread.join()


def ask(
    port: int,
    path: str = "/",
    method: str = "GET",
    body: str | bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    connection = HTTPConnection(LOOPBACK, port, timeout=30)
    with closing(connection):
        connection.request(method, path, body, dict(headers or {}))
        response = connection.getresponse()
        text = response.read().decode()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, text
