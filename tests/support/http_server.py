"""Git repositories over http on 127.0.0.1: the real `git http-backend`, as CGI."""

import base64
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit


@dataclass
class Service:
    """A server; its manners may be changed between requests."""

    root: Path
    """The folder of the repositories."""
    address: str = ""
    """Such as `http://127.0.0.1:12345`."""
    user: str | None = None
    """`name:password` that a request must come with."""
    silent: bool = False
    """It takes requests, and never answers."""
    status: int | None = None
    """It answers each request with this status, and a page for people."""
    keeps: int | None = None
    """Only so many bytes of an answer to a POST are sent."""
    requests: list[str] = field(default_factory=list)
    """What was asked for: `GET /memory.git/info/refs?service=git-upload-pack`."""
    left: Event = field(default_factory=Event)
    """Whoever waited for a silent server does not any more."""

    def url(self, name: str, user: str | None = None) -> str:
        """Of the repository `name` below the root."""
        scheme, _, place = self.address.partition("://")
        return f"{scheme}://{user + '@' if user else ''}{place}/{name}"


@contextmanager
def serving(root: Path, **manners: str | bool | int | None) -> Iterator[Service]:
    """Serves all repositories below `root`, which may be fetched from and pushed to.

    A path that begins with `/moved/` is redirected to the one without it.
    """
    service = Service(root)
    for name, value in manners.items():
        setattr(service, name, value)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.service = service
    service.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    service: Service


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - theirs
        """Tests read `requests`."""

    def _answer(self) -> None:
        service = self.server.service
        service.requests.append(f"{self.command} {self.path}")
        if service.silent:
            self.rfile.read(1)
            service.left.set()
        elif service.status:
            page = b"<html>Please log in</html>"
            self._say(service.status, {"Content-Type": "text/html"}, page)
        elif self.path.startswith("/moved/"):
            self._say(301, {"Location": service.address + self.path[len("/moved") :]})
        elif not self._is_welcome(service):
            self._say(401, {"WWW-Authenticate": 'Basic realm="memory"'})
        else:
            self._hand_on(service)

    def _is_welcome(self, service: Service) -> bool:
        if service.user is None:
            return True
        wanted = base64.b64encode(service.user.encode()).decode()
        return self.headers.get("Authorization") == f"Basic {wanted}"

    def _say(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _hand_on(self, service: Service) -> None:
        done = subprocess.run(
            ["git", "http-backend"],
            input=self._body(),
            env=self._environment(service),
            capture_output=True,
            check=True,
        )
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = dict(each.split(": ", 1) for each in head.decode().split("\r\n"))
        status = int(headers.pop("Status", "200").split()[0])
        if service.keeps is None or self.command != "POST":
            self._say(status, headers, body)
        else:
            self._break_off(headers, body[: service.keeps])

    def _break_off(self, headers: dict[str, str], body: bytes) -> None:
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        self.close_connection = True

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while length := int(self.rfile.readline(), 16):
            body += self.rfile.read(length)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _environment(self, service: Service) -> dict[str, str]:
        url = urlsplit(self.path)
        asked = {
            "REQUEST_METHOD": self.command,
            "PATH_INFO": url.path,
            "QUERY_STRING": url.query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
        }
        rules = {
            "GIT_PROJECT_ROOT": str(service.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REMOTE_USER": "ada",  # whom http-backend lets push
            "REMOTE_ADDR": "127.0.0.1",
        }
        return {**os.environ, **rules, **asked}
