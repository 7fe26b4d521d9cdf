"""Targets of assistants in short: servers, hooks, rules, and the user's own files.

And what those files say, of which nothing is certain.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from gitmem.assistants.assistant import (
    LAUNCHER,
    Hooks,
    Rules,
    Server,
    Skill,
    Target,
    UserPath,
)
from gitmem.errors import InvalidInput

AGENTS_RULES = Target(
    path="AGENTS.md", state="{path} tells assistants when to save", content=Rules()
)
"""Shared by all assistants that read this file, so that none is told twice."""
_MOST_BYTES = 50_000_000
SKILLS = ("ocm-save", "ocm-resume", "ocm-remember", "ocm-recall")
"""The user's commands, in `rules/skills`."""

# Claude Code itself replaces `${...}` in .mcp.json, so there is none. An assistant that
# was started from a desktop may work anywhere; others do not set the variable. A clone
# may bring a bare repository along, which must not be taken for the common dir. Without
# gitmem there is a server that has nothing, so that no client shows one that failed.
_SERVE = (
    'cd "${variable}" 2>/dev/null; d=.git; [ -d "$d" ] ||'
    " d=$(git -c safe.bareRepository=explicit rev-parse --git-common-dir 2>/dev/null);"
    f' [ ! -x "$d/{LAUNCHER}" ] || exec "$d/{LAUNCHER}" serve;'
    """ while read -r l; do case $l in *'"id":'*) ;; *) continue ;; esac;"""
    """ i=$(printf %s "$l" | sed 's/.*"id": *//; s/[,}].*//'); case $l in"""
    """ *'"initialize"'*) r='"result":{"protocolVersion":"'"""
    """$(printf %s "$l" | sed 's/.*"protocolVersion": *"//; s/".*//')"""
    """'","capabilities":{},"serverInfo":{"name":"gitmem","version":"0"}}' ;;"""
    """ *'"server/discover"'*) r='"error":{"code":-32601,"message":"unknown"}' ;;"""
    """ *) r='"result":{"tools":[],"prompts":[],"resources":[]}' ;; esac;"""
    """ printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$i" "$r"; done"""
)


def user_path(folder: str, variable: str = "", name: str = "") -> UserPath:
    """Return a place below a folder of the home, or below the one a variable names."""
    return lambda home, variables: Path(variables.get(variable) or home / folder, name)


def server(variable: str, **more: Any) -> Server:
    """Return the server of the work tree that an environment variable names."""
    script = _SERVE.replace("{variable}", variable)
    return Server({"command": "sh", "args": ["-c", script], **more})


def server_in(path: str, whose: str, content: Server, **more: Any) -> Target:
    description = f"{whose} starts the MCP server as {{path}} says"
    return Target(path, description, content, **more)


def hooks_in(
    path: str, whose: str, template: str, *, approves: bool = False, **more: Any
) -> Target:
    description = f"{whose} runs the hooks in {{path}}"
    return Target(
        path, description, Hooks(f"hooks/{template}", approves=approves), **more
    )


def skills_in(folder: str) -> Iterator[Target]:
    """Yield the commands of a folder that assistants share."""
    for name in SKILLS:
        yield Target(
            path=f"{folder}/{name}/SKILL.md",
            state=f"the command {name} is in {{path}}",
            content=Skill(f"rules/skills/{name}/SKILL.md"),
        )


def names_agents(file: Path) -> bool:
    """Tell whether a file of rules imports AGENTS.md beside it, or is the same."""
    with suppress(OSError):
        beside = file.with_name("AGENTS.md")
        if beside.exists() and file.samefile(beside):
            return True
        text = file.read_text("utf-8", "replace")
        return re.search(r"^@(\./)?AGENTS\.md\b", text, re.MULTILINE) is not None
    return False


def read_object(path: Path) -> Mapping[str, Any]:
    """Return the object in a file, JSON with comments; an empty one for none."""
    with suppress(OSError, InvalidInput):
        if path.is_file() and path.stat().st_size <= _MOST_BYTES:
            value = _parsed(path.read_text("utf-8-sig", "replace"))
            return value if isinstance(value, dict) else {}
    return {}


def _parsed(text: str) -> object:
    """Return a value; hooks read large files, for which `json` is the faster one."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        from gitmem.text import jsonc

        return jsonc.parsed(text)


def members(values: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Return the object at `keys`, else an empty one."""
    for key in keys:
        value = values.get(key)
        values = value if isinstance(value, dict) else {}
    return values


def items(values: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list under `key`, else an empty one."""
    value = values.get(key)
    return value if isinstance(value, list) else []
