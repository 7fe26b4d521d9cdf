"""The openCodeMemory of `ocm-session-memory`, whose place gitmem takes.

Its server has our server's name, and its hooks would run beside ours.
"""

import re
from pathlib import Path

from gitmem.actions.installing.plan import FileEdit, Step
from gitmem.assistants.assistant import SERVER
from gitmem.errors import GitmemError
from gitmem.git.files import read_user_file
from gitmem.text import jsonc
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_IN_HOME = (
    ".claude.json",
    ".claude/settings.json",
    ".claude/CLAUDE.md",
    ".cursor/mcp.json",
)
_IN_WORK_TREE = (
    *(".mcp.json", ".claude/settings.json", ".cursor/mcp.json", "CLAUDE.md"),
    *(".cursorrules", ".cursor/rules/ocm-checkpoint.mdc"),
)
_HOOK = pattern(
    r"\bocm-hook (?:session-start|session-end|pre-tool-use|post-tool-use)\b"
    r"|openCodeMemory session_id: "
)
_BLOCK = re.compile(
    r"(?:<!-- BEGIN openCodeMemory -->\s*)+(?:(?!<!-- BEGIN).)*?"
    r"(?:<!-- END openCodeMemory -->\s*)+",
    re.DOTALL,
)
_RULE_FILE = pattern(r"\A---\n(?:(?!---).{0,200}\n){0,9}ocm-version: ")


def removal(workspace: Workspace) -> list[Step]:
    """Return a step for each part of it, in the work tree and for the user."""
    home = workspace.environment.user_home
    steps = [_removal_step(workspace.root, name, name) for name in _IN_WORK_TREE]
    steps += [_removal_step(home, name, f"~/{name}") for name in _IN_HOME]
    return [step for step in steps if step]


def without_earlier(name: str, text: str) -> str:
    """Return the text without parts of that program, or as it is if unreadable."""
    if _RULE_FILE.match(text):
        return ""
    if not name.endswith(".json"):
        return _BLOCK.sub("", text)
    try:
        return jsonc.without(text, _is_earlier)
    except GitmemError:
        return text


def _removal_step(folder: Path, name: str, display_name: str) -> Step | None:
    try:
        file = read_user_file(folder.resolve(), name)
        text = (file.content or b"").decode()
    except (GitmemError, ValueError):
        return None
    after = without_earlier(name, text)
    if after == text:
        return None
    content = after.encode() if after.strip() not in ("", "{}") else None
    change = FileEdit(file.path, file.content, content, file.mode)
    part = "hooks" if "settings" in name else "server" if "json" in name else "rules"
    return Step(state=f"{part} in {display_name}", changes=(change,))


def _is_earlier(path: jsonc.Path, value: object) -> bool:
    match value:
        case {"hooks": [*group]}:
            return bool(group) and all(_is_earlier(path, inner) for inner in group)
        case {"type": "command", "command": str(command)}:
            return _HOOK.search(command) is not None
        case {"url": str()}:
            return path == ("mcpServers", SERVER)
    return False
