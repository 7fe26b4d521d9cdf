"""What the shape of the code promises; lint-imports holds the layers."""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_LINES = 300
MOST_FLOORS = 5
CONNECTING = {
    *("aiohttp", "ftplib", "http", "httpx", "requests", "smtplib", "socket"),
    *("socketserver", "ssl", "urllib", "urllib3", "websockets", "xmlrpc"),
}

BORROWED = {
    *("anyio", "mcp_types", "pydantic", "pydantic_core"),  # of the MCP SDK
    *("rich", "markdown_it"),  # of typer
    "markupsafe",  # of Jinja2
}
"""Packages that are there because those we declare need them."""
SAYING_NOTHING = {"each", "found", "heard", "shown", "told"}
"""Words that tell neither what a value is nor where it comes from."""

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
    assert connecting == {"gitmem/web/serving.py imports socket"}, "it only listens"


def test_only_declared_packages_are_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extra = project["optional-dependencies"]["meaning"]
    declared = {
        re.split(r"[^\w.-]", requirement)[0].casefold()
        for requirement in [*project["dependencies"], *extra]
    }
    distributions = packages_distributions()
    imported = {name for module in MODULES for name in imported_packages(module)}
    absent = "backports" if sys.version_info >= (3, 14) else "compression"
    ours = {"gitmem", "_typeshed", *sys.stdlib_module_names, absent}
    undeclared = {
        name
        for name in imported - ours
        if declared.isdisjoint(map(str.casefold, distributions.get(name, ())))
    }
    assert undeclared == BORROWED


def imported_packages(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)


def test_no_name_says_manager_or_helper() -> None:
    suffixes = ("Manager", "Helper", "Util", "Utils", "Base", "Service")
    classes = [name for module in MODULES for name in words_behind("class", module)]
    assert [name for name in classes if name.endswith(suffixes)] == []


def test_a_class_name_occurs_once() -> None:
    names = Counter(name for m in MODULES for name in words_behind("class", m))
    assert {name: count for name, count in names.items() if count > 1} == {}


def test_verbs_stand_on_at_most_five_floors() -> None:
    """What several verbs share stands below them: nobody climbs through ten of them."""
    verbs = {path.stem for path in (ROOT / "gitmem/actions").iterdir()} - {"__init__"}
    borrowed: dict[str, set[str]] = {verb: set() for verb in verbs}
    for module in (ROOT / "gitmem/actions").rglob("*.py"):
        verb = module.relative_to(ROOT / "gitmem/actions").with_suffix("").parts[0]
        for target in imported_verbs(module) & verbs - {verb}:
            borrowed[verb].add(target)
    floors = {verb: floor_of(verb, borrowed) for verb in verbs}
    assert {verb: floor for verb, floor in floors.items() if floor > MOST_FLOORS} == {}


def imported_verbs(module: Path) -> set[str]:
    text = module.read_text("utf-8")
    below = re.findall(r"^\s*from gitmem\.actions\.(\w+)", text, re.MULTILINE)
    direct = re.findall(r"^\s*from gitmem\.actions import (.*)$", text, re.MULTILINE)
    return {*below, *(name.strip() for names in direct for name in names.split(","))}


def floor_of(verb: str, borrowed: dict[str, set[str]]) -> int:
    floors = [floor_of(target, borrowed) for target in borrowed.get(verb, ())]
    return 1 + max(floors, default=0)


def test_a_name_says_what_it_holds() -> None:
    empty = {
        f"{module.relative_to(ROOT)}:{node.lineno} {node.id}"
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text("utf-8")))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        if node.id.strip("_") in SAYING_NOTHING
    }
    assert empty == set()
