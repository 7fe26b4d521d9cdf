"""OpenCode: how it is recognised and started."""

from gitmem.assistants.assistant import SERVER, Assistant, CommandLine

OPENCODE = Assistant(
    "opencode",
    r"opencode",
    ("opencode", "open code", "open-code"),
    title="OpenCode",
    command_line=CommandLine(
        ("opencode", "--session", "{id}"),
        ("opencode", "--prompt"),
        r"ses_[0-9A-Za-z]{1,100}",
    ),
    commands=("opencode",),
    by_hand=f"in opencode.json, a local server {SERVER}: {{ocm}} serve",
)
