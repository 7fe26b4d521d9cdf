"""No request without the token, none of a foreign page, and none that never ends."""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from support.web import ask, served

from gitmem.errors import InvalidInput, NoPermission
from gitmem.web import guard, serving
from gitmem.web.guard import BearerToken, Guard, LoginLink, token_in
from gitmem.web.serving import LOOPBACK, address, is_loopback, listen, parse_address

TOKEN = "a-token-for-this-test-alone"
WITH_TOKEN = {"Authorization": f"Bearer {TOKEN}"}


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        request = Request(scope, receive)
        text = f"{request.url.path} {(await request.body()).decode()}"
        await PlainTextResponse(text)(scope, receive, send)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    app = Guard(echo, BearerToken(TOKEN), frozenset({"memory.example"}))
    with served(app) as port:
        yield port


def test_a_request_with_the_token_reaches_the_app(port: int) -> None:
    status, _, text = ask(port, "/a", "POST", "body", WITH_TOKEN)
    assert (status, text) == (200, "/a body")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer "},
        {"Cookie": f"ocm={TOKEN}"},
    ],
)
def test_none_without_the_token_is_let_in(port: int, headers: dict[str, str]) -> None:
    status, answer_headers, text = ask(port, "/a?token=" + TOKEN, headers=headers)
    assert status == 401
    assert answer_headers["www-authenticate"] == "Bearer"
    assert TOKEN not in text


def test_a_foreign_host_is_refused_with_the_token(port: int) -> None:
    hosts = (
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "",
        "]",
    )
    for host in hosts:
        assert ask(port, headers={**WITH_TOKEN, "Host": host})[0] == 421, host


def test_addresses_and_named_hosts_are_served(port: int) -> None:
    hosts = ("localhost", "127.0.0.1:1", "[::1]:80", "10.0.0.7", "memory.example:443")
    for host in hosts:
        assert ask(port, headers={**WITH_TOKEN, "Host": host})[0] == 200, host


def test_a_foreign_origin_is_refused_with_the_token(port: int) -> None:
    for origin in ("null", "http://evil.example", "http://localhost:1", "http://[", ""):
        headers = {**WITH_TOKEN, "Host": f"localhost:{port}", "Origin": origin}
        assert ask(port, "/", "POST", "x", headers)[0] == 403, origin


def test_an_own_page_may_write(port: int) -> None:
    host = f"localhost:{port}"
    headers = {**WITH_TOKEN, "Host": host, "Origin": f"http://{host}"}
    assert ask(port, "/", "POST", "x", headers)[0] == 200


def test_every_response_has_the_headers_of_a_careful_page(port: int) -> None:
    for headers in (WITH_TOKEN, {}):
        answer_headers = ask(port, headers=headers)[1]
        policy = answer_headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert answer_headers["x-content-type-options"] == "nosniff"
        assert answer_headers["cache-control"] == "no-store"
        assert "server" not in answer_headers


def test_a_body_that_is_too_long_is_refused(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "MOST_BYTES", 1000)
    assert ask(port, "/", "POST", "x" * 1001, WITH_TOKEN)[0] == 413
    assert ask(port, "/", "POST", "x" * 1000, WITH_TOKEN)[0] == 200


def test_a_body_that_does_not_arrive_is_not_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    with closing(socket.create_connection((LOOPBACK, port), timeout=10)) as client:
        head = f"POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}"
        client.sendall(f"{head}\r\nContent-Length: 9\r\n\r\nhalf".encode())
        assert b"408" in client.recv(100)


def test_a_client_that_sends_no_request_is_hung_up_on(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_REQUEST_SECONDS", 0.3)
    with closing(socket.create_connection((LOOPBACK, port), timeout=10)) as client:
        begin = monotonic()
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        assert not client.recv(100)
        assert monotonic() - begin < 5


def test_a_client_that_reads_nothing_is_hung_up_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "_READ_SECONDS", 0.3)

    async def much(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await PlainTextResponse("x" * 20_000_000)(scope, receive, send)

    with (
        served(much) as port,
        closing(socket.create_connection((LOOPBACK, port), timeout=10)) as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        sleep(4)  # the server has to have written what fits
        with suppress(ConnectionResetError):
            received = sum(iter(lambda: len(client.recv(1_000_000)), 0))
            assert received < 20_000_000


def test_a_link_lets_one_browser_in_and_leaves_the_address() -> None:
    access = LoginLink()
    with served(Guard(echo, access)) as port:
        link = urlsplit(access.link(f"http://127.0.0.1:{port}"))
        path = f"{link.path}?{link.query}"

        assert ask(port)[0] == 401
        assert ask(port, path, "HEAD")[0] == 401
        status, headers, _ = ask(port, path)
        assert (status, headers["location"]) == (303, "/")
        cookie = headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie

        with_cookie = {"Cookie": cookie.split(";")[0]}
        assert ask(port, "/page", headers=with_cookie)[0] == 200
        status, headers, _ = ask(port, path)
        assert status == 401
        assert "set-cookie" not in headers


def test_a_link_keeps_the_page_that_it_leads_to() -> None:
    access = LoginLink()
    with served(Guard(echo, access)) as port:
        token = access.link("").partition("=")[2]
        location = ask(port, f"/why?path=a&token={token}")[1]["location"]
    assert location == "/why?path=a"


def test_a_link_leads_to_no_other_host() -> None:
    access = LoginLink()
    with served(Guard(echo, access)) as port:
        token = access.link("").partition("=")[2]
        location = ask(port, f"//evil.example/?token={token}")[1]["location"]
    assert not location.startswith("//")


def test_a_token_is_a_long_word_that_nobody_else_reads(tmp_path: Path) -> None:
    file = tmp_path / "token"
    with pytest.raises(InvalidInput, match="has no token") as error:
        token_in(file)
    assert "openssl" in str(error.value.hint)
    file.write_text(f"{TOKEN}\n")
    file.chmod(0o644)
    with pytest.raises(NoPermission, match="Other users"):
        token_in(file)
    file.chmod(0o600)
    assert token_in(file) == TOKEN
    for text in ("", "short", f"{TOKEN} {TOKEN}", "é" * 40):
        file.write_text(text)
        with pytest.raises(InvalidInput):
            token_in(file)


def test_only_loopback_addresses_need_no_token_file() -> None:
    for host in ("127.0.0.1", "127.9.9.9", "localhost", "::1"):
        assert is_loopback(host), host
    for host in ("0.0.0.0", "::", "10.0.0.1", "localhost.example", ""):
        assert not is_loopback(host), host


def test_an_address_has_a_port() -> None:
    assert parse_address("[::1]:80") == ("::1", 80)
    assert parse_address("memory.example:0") == ("memory.example", 0)
    for text in ("127.0.0.1", "127.0.0.1:", ":80", "a:http", "a:99999", "a:-1"):
        with pytest.raises(InvalidInput, match="no address with a port"):
            parse_address(text)


def test_a_port_that_is_taken_is_said() -> None:
    with closing(listen(LOOPBACK, 0)) as listener:
        port = listener.getsockname()[1]
        assert address(listener) == f"http://127.0.0.1:{port}"
        with pytest.raises(InvalidInput, match="in use") as error:
            listen(LOOPBACK, port)
    assert error.value.hint


def test_an_address_that_is_none_is_said() -> None:
    for host in ("999.1.2.3", "203.0.113.9", "no.such.host.invalid"):
        with pytest.raises(InvalidInput, match="Cannot listen at"):
            listen(host, 0)
