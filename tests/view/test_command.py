"""`ocm view` as a program: its link, its port, its end, and the file it writes."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from support.web import ask
from view.shop import Shop, filled_shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return filled_shop(tmp_path / "shop")


@contextmanager
def viewing(root: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield the process, and what it prints first."""
    command = [sys.executable, "-m", "gitmem", "view", "--no-open", *arguments]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        yield process, process.stdout.readline().strip()
        process.kill()


def test_it_serves_at_its_link_until_it_is_interrupted(shop: Shop) -> None:
    with viewing(shop.root) as (process, link):
        url = urlsplit(link)
        assert (url.hostname, url.path) == ("127.0.0.1", "/")
        port = url.port or 0
        assert ask(port)[0] == 401
        status, headers, _ = ask(port, f"/?{url.query}")
        assert (status, headers["location"]) == (303, "/")
        cookie = {"cookie": headers["set-cookie"].partition(";")[0]}
        status, headers, text = ask(port, headers=cookie)
        assert (status, "Unfinished" in text) == (200, True)
        assert "default-src 'self'" in headers["content-security-policy"]
        assert ask(port, headers={**cookie, "origin": "https://x.org"})[0] == 403
        assert ask(port, headers={**cookie, "host": "x.org"})[0] == 421
        process.send_signal(signal.SIGINT)
        assert process.wait(10) in (0, 130)


def test_a_port_that_is_taken_is_said(shop: Shop) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        with viewing(shop.root, "--port", port) as (process, link):
            assert (link, process.wait(20)) == ("", 2)
            assert process.stderr
            message = process.stderr.read()
    assert f"127.0.0.1:{port}" in message
    assert "hint: Name another port" in message


@pytest.mark.parametrize("option", ["--port=80000", "--out=nowhere/memory.html"])
def test_what_cannot_be_is_refused(shop: Shop, option: str) -> None:
    with viewing(shop.root, option, "--yes") as (process, printed):
        assert (printed, process.wait(20)) == ("", 2 if "port" in option else 1)
        assert process.stderr
        assert "defect" not in process.stderr.read()


def written(shop: Shop, *flags: str) -> str:
    file = shop.root.parent / "memory.html"
    command = [sys.executable, "-m", "gitmem", "view", "--out", str(file), *flags]
    subprocess.run(command, cwd=shop.root, check=True, capture_output=True)
    return file.read_text("utf-8") if file.exists() else ""


def test_a_file_has_what_may_be_seen(shop: Shop) -> None:
    assert written(shop, "--dry-run") == ""
    text = written(shop, "--yes")
    for told in ("Charge no customer twice", "Tests need Postgres 16", "Unfinished"):
        assert told in text
    private = {
        "--conversations": "Both charges are for one order",
        "--private": "Ada reads diffs before explanations",
        "--local": "shop/notes.md",
    }
    for flag, told in private.items():
        assert (told in text, told in written(shop, "--yes", flag)) == (False, True)


def test_a_file_leads_nowhere_else_and_runs_nothing(shop: Shop) -> None:
    text = written(shop, "--yes", "--conversations", "--private", "--local")
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len({*ids})
    for link in re.findall(r' href="([^"]*)"', text):
        assert link == "https://example.com/keys" or link.removeprefix("#") in ids
    assert not re.search(r"<(script|form|img|link|iframe)\b", text)
    assert "default-src &#39;none&#39;" in text or "default-src 'none'" in text
