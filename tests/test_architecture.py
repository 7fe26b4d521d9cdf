"""What the shape of the code promises; lint-imports holds the layers."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_LINES = 300
CONNECTING = {
    *("aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket"),
    *("socketserver", "ssl", "urllib", "urllib3", "websockets", "xmlrpc"),
}

MODULES = sorted((ROOT / "gitmem").rglob("*.py"))


def words_behind(keywords: str, module: Path) -> list[str]:
    """What is imported or defined, without the time that parsing takes."""
    text = module.read_text("utf-8")
    return re.findall(rf"^\s*(?:{keywords})\s+([\w.]+)", text, re.MULTILINE)


def test_a_file_is_short_enough_to_be_read_at_once() -> None:
    lines = {module: len(module.read_text("utf-8").splitlines()) for module in MODULES}
    assert {module for module in MODULES if lines[module] > MOST_LINES} == set()


def test_no_module_opens_a_connection() -> None:
    connecting = {
        f"{module.relative_to(ROOT)} imports {name}"
        for module in MODULES
        for name in words_behind("import|from", module)
        if name.partition(".")[0] in CONNECTING and name != "urllib.parse"
    }
    assert connecting == set()


def test_no_name_says_manager_or_helper() -> None:
    suffixes = ("Manager", "Helper", "Util", "Utils", "Base", "Service")
    classes = [name for module in MODULES for name in words_behind("class", module)]
    assert [name for name in classes if name.endswith(suffixes)] == []
