"""OpenCode: how it is recognised, configured and started."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.assistants.assistant import (
    AGENTS_RULES,
    SERVER,
    Assistant,
    CommandLine,
    Rules,
    Server,
    Target,
    server,
)
from gitmem.assistants.opencode.hooks import HOOKS

if TYPE_CHECKING:
    from gitmem.assistants.transcripts import TranscriptReader

_SERVE = ["sh", *server("PWD").entry["args"]]
"""OpenCode starts it in the folder of the project."""


def _reader() -> "TranscriptReader":
    from gitmem.assistants.opencode.transcripts import OPENCODE

    return OPENCODE


def _of_user(name: str, home: Path, variables: Mapping[str, str]) -> Path:
    folder = variables.get("XDG_CONFIG_HOME") or home / ".config"
    return Path(folder, "opencode", name)


OPENCODE = Assistant(
    "opencode",
    r"opencode",
    ("opencode", "open code", "open-code"),
    title="OpenCode",
    session_variables=("OPENCODE_SESSION_ID",),  # which our plugin sets
    names_itself_in_shell=True,
    reader=_reader,
    command_line=CommandLine(
        ("opencode", "--session", "{id}"),
        ("opencode", "--prompt"),
        r"ses_[0-9A-Za-z]{1,100}",
    ),
    hooks=HOOKS,
    commands=("opencode",),
    folder=".config/opencode",
    traces=(".opencode", "opencode.json", "opencode.jsonc"),
    targets=(
        Target(
            path="opencode.json",
            user=partial(_of_user, "opencode.json"),
            what="OpenCode starts the MCP server as {path} says",
            content=Server(
                {"type": "local", "command": _SERVE, "enabled": True},
                ("mcp", SERVER),
            ),
            by_hand=f"in opencode.json, a local server {SERVER}: {{ocm}} serve",
        ),
        Target(
            path=".opencode/plugins/ocm.js",
            user=partial(_of_user, "plugins/ocm.js"),
            what="OpenCode runs the plugin {path}",
            content=Rules(text="hooks/opencode/ocm.js"),
        ),
        AGENTS_RULES,
    ),
)
