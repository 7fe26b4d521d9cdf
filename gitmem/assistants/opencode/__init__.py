"""OpenCode: how it is recognised, configured and started."""

from functools import partial

from gitmem.assistants.assistant import (
    SERVER,
    Assistant,
    CommandLine,
    Rules,
    Server,
    Target,
)
from gitmem.assistants.opencode.hooks import HOOKS
from gitmem.assistants.targets import AGENTS_RULES, server, server_in, user_path

_of_home = partial(user_path, ".config", "XDG_CONFIG_HOME")
_SERVE = ["sh", *server("PWD").entry["args"]]
"""OpenCode starts it in the folder of the project."""

OPENCODE = Assistant(
    "opencode",
    r"opencode",
    ("opencode", "open code", "open-code"),
    title="OpenCode",
    session_variables=("OPENCODE_SESSION_ID",),  # which our plugin sets
    names_itself_in_shell=True,
    reader="opencode.transcripts:OPENCODE",
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
        server_in(
            "opencode.json",
            "OpenCode",
            Server(
                {"type": "local", "command": _SERVE, "enabled": True},
                ("mcp", SERVER),
            ),
            user=_of_home("opencode/opencode.json"),
            manual_advice=f"in opencode.json, a local server {SERVER}: {{ocm}} serve",
        ),
        Target(
            path=".opencode/plugins/ocm.js",
            user=_of_home("opencode/plugins/ocm.js"),
            state="OpenCode runs the plugin {path}",
            content=Rules(text="hooks/opencode/ocm.js"),
        ),
        AGENTS_RULES,
    ),
)
