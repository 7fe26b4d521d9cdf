"""What the shape of the code promises; lint-imports holds the layers."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_LINES = 300
CONNECTING = {
    *("aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket"),
    *("socketserver", "ssl", "urllib", "urllib3", "websockets", "xmlrpc"),
}

MODULES = sorted((ROOT / "gitmem").rglob("*.py"))


@cache
def nodes(module: Path) -> list[ast.AST]:
    return [*ast.walk(ast.parse(module.read_text("utf-8")))]


def imported(module: Path) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_a_file_is_short_enough_to_be_read_at_once() -> None:
    lines = {module: len(module.read_text("utf-8").splitlines()) for module in MODULES}
    assert {module for module in MODULES if lines[module] > MOST_LINES} == set()


def test_no_module_opens_a_connection() -> None:
    connecting = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in MODULES
        for name in imported(module)
        if name.partition(".")[0] in CONNECTING
    }
    assert connecting == set()


def test_no_name_says_manager_or_helper() -> None:
    suffixes = ("Manager", "Helper", "Util", "Utils", "Base", "Service")
    classes = [
        node.name
        for module in MODULES
        for node in nodes(module)
        if isinstance(node, ast.ClassDef)
    ]
    assert [name for name in classes if name.endswith(suffixes)] == []
