"""Listening on an address, and clients that take too long."""

import socket
from asyncio import TimerHandle, Transport
from contextlib import suppress
from ctypes import CDLL
from ipaddress import ip_address

from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from gitmem.errors import InvalidInput

LOOPBACK = "127.0.0.1"
_LAST_PORT = 65_535
_MOST_CONNECTIONS = 1000
_REQUEST_SECONDS = 10
"""How long a connection may take to send the headers of its next request."""
_READ_SECONDS = 60
"""How long a client may leave an answer unread."""
_STOP_SECONDS = 2
"""How long requests may go on once the server is to end."""
_MOST_HEADER_BYTES = 16 * 1024
_ARENA_MAX = -8
"""The parameter M_ARENA_MAX of glibc's mallopt."""


def parse_address(text: str) -> tuple[str, int]:
    """Return the host and port of `127.0.0.1:80` or `[::1]:80`. Raises InvalidInput."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _LAST_PORT:
        raise InvalidInput(
            f"{text!r} is no address with a port.", hint=f"Such as {LOOPBACK}:8080."
        )
    return host.strip("[]"), int(port)


def is_loopback(host: str) -> bool:
    """Return whether other machines cannot reach it; of names only localhost."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        reason = error.strerror or "no such address"
        raise InvalidInput(
            f"Cannot listen at {host}:{port}: {reason}.",
            hint="Name another port, or 0 for any free one.",
        ) from error


def address(listener: socket.socket) -> str:
    """Return the URL of the root, without a slash at its end."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run(app: ASGIApp, listener: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM, whose handler is called at the end."""
    _use_one_arena()
    server(app).run(sockets=[listener])


def _use_one_arena() -> None:
    """Let all threads share the memory that glibc's malloc has free.

    Else each thread that writes the index leaves some behind in an arena of its own.
    """
    with suppress(AttributeError):  # another malloc
        CDLL(None).mallopt(_ARENA_MAX, 1)


def server(app: ASGIApp) -> Server:
    return Server(
        Config(
            app,
            http=_Connection,
            ws="none",
            loop="asyncio",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_MOST_CONNECTIONS,
            timeout_graceful_shutdown=_STOP_SECONDS,
            h11_max_incomplete_event_size=_MOST_HEADER_BYTES,
        )
    )


class _Connection(H11Protocol):
    """Ends where the client neither asks nor reads."""

    _request_timer: TimerHandle | None = None
    _reading_timer: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn's
        super().connection_made(transport)
        self._wait_for_request()

    def on_response_complete(self) -> None:
        self._wait_for_request()
        super().on_response_complete()

    def handle_events(self) -> None:
        answered_request = self.cycle
        super().handle_events()
        if self.cycle is not answered_request:
            _cancel(self._request_timer)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading_timer = self.loop.call_later(_READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        _cancel(self._reading_timer)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._request_timer)
        _cancel(self._reading_timer)
        super().connection_lost(exc)

    def _wait_for_request(self) -> None:
        _cancel(self._request_timer)
        self._request_timer = self.loop.call_later(
            _REQUEST_SECONDS, self.timeout_keep_alive_handler
        )


def _cancel(timer: TimerHandle | None) -> None:
    if timer:
        timer.cancel()
