"""Who may ask over HTTP, and how much: the same rules for pages, API and MCP.

Other users of the machine and pages in the user's own browser reach a loopback address
too. So there is always a token, a foreign page is refused by its Origin, and a name
that a foreign DNS server resolves to us by the Host.
"""

import os
import stat
from dataclasses import dataclass, field
from hmac import compare_digest
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe
from shlex import quote
from typing import Protocol
from urllib.parse import urlsplit

from anyio import fail_after
from starlette.datastructures import URL, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gitmem.errors import InvalidInput, NoPermission

MOST_BYTES = 4 * 1024 * 1024
"""The longest body of a request."""
BODY_SECONDS = 10
"""How long the body of a request may take to arrive."""
_FEWEST_CHARACTERS, _MOST_CHARACTERS = 20, 1000
"""Characters of a token."""
_HOW_TO_WRITE = "(umask 077; openssl rand -hex 32 > FILE) writes one."
_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'; object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # without any, forms have the origin `null`
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every response that does not set them itself."""


class Access(Protocol):
    def response_to(self, request: Request) -> Response | None:
        """Return what a request gets that is not let in; None for one that is."""


@dataclass(frozen=True)
class BearerToken:
    """Lets in each request with the token in its Authorization or X-API-Key header."""

    token: str

    def response_to(self, request: Request) -> Response | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_bearer = scheme.lower() == "bearer"
        sent = token.strip() if is_bearer else request.headers.get("x-api-key", "")
        if _is_same(sent, self.token):
            return None
        return PlainTextResponse(
            "Send the token as `Authorization: Bearer TOKEN`.\n",
            status_code=401,
            headers={"www-authenticate": "Bearer"},
        )


def new_token() -> str:
    return token_urlsafe(32)


def token_in(file: Path) -> str:
    """Return the token in the file.

    Raises InvalidInput, and NoPermission where other users may read it.
    """
    try:
        with file.open(encoding="ascii") as stream:
            mode = os.fstat(stream.fileno()).st_mode
            token = stream.read(_MOST_CHARACTERS).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} has no token.", hint=_HOW_TO_WRITE) from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        hint = f"chmod 600 {quote(str(file))}"
        raise NoPermission(f"Other users may read {file}.", hint=hint)
    if len(token) < _FEWEST_CHARACTERS or len(token.split()) > 1:
        raise InvalidInput(f"The token in {file} is no long word.", hint=_HOW_TO_WRITE)
    return token


@dataclass
class LoginLink:
    """Lets in the first browser that opens the link, by a cookie from then on."""

    hint: str = "Start the command again for a new link."
    _token: str = field(default_factory=new_token)
    _cookie: str = field(default_factory=new_token)
    _is_used: bool = False

    def link(self, address: str) -> str:
        return f"{address}/?token={self._token}"

    def response_to(self, request: Request) -> Response | None:
        name = f"ocm_{request.url.port or 80}"  # ports of a host share its cookies
        if _is_same(request.cookies.get(name, ""), self._cookie):
            return None
        token = request.query_params.get("token", "")
        if request.method != "GET" or not _is_same(token, self._token):
            return PlainTextResponse(f"This needs a link. {self.hint}\n", 401)
        if self._is_used:
            return PlainTextResponse(f"The link works once. {self.hint}\n", 401)
        self._is_used = True
        query = request.url.remove_query_params("token").query
        path = "/" + request.url.path.lstrip("/")  # `//host` would lead to another
        response = RedirectResponse(URL(path=path, query=query), 303)
        response.set_cookie(name, self._cookie, httponly=True, samesite="strict")
        return response


@dataclass(frozen=True)
class Guard:
    """Passes on to `app` what may be asked, with a body that has arrived whole."""

    app: ASGIApp
    access: Access
    hosts: frozenset[str] = frozenset()
    """Host names that lead here, beside localhost and any IP address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        response = self._refusal(request) or self.access.response_to(request)
        if not response:
            response, receive = await _with_body(request, receive)
        await (response or self.app)(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        host = request.headers.get("host", "")
        origin = request.headers.get("origin")
        if not self._is_ours(host):
            return PlainTextResponse("This host is not served here.\n", 421)
        if origin not in {None, f"http://{host}", f"https://{host}"}:
            return PlainTextResponse("Other origins are refused.\n", 403)
        return None

    def _is_ours(self, host: str) -> bool:
        """Return whether the name leads here whatever a foreign DNS server says."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return name in {"localhost", *self.hosts} or bool(ip_address(name))
        except ValueError:
            return False


async def _with_body(
    request: Request, receive: Receive
) -> tuple[Response | None, Receive]:
    """Return what gives the app the whole body, or a refusal of one too long."""
    body = bytearray()
    try:
        with fail_after(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    return PlainTextResponse("The body is too long.\n", 413), receive
    except (TimeoutError, ClientDisconnect):
        return PlainTextResponse("The body did not arrive.\n", 408), receive
    messages = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def receive_body() -> Message:
        return messages.pop() if messages else await receive()

    return None, receive_body


def _is_same(text: str, secret: str) -> bool:
    return compare_digest(text.encode(), secret.encode())
