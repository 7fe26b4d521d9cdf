"""Windsurf: how it is recognised."""

from gitmem.assistants.assistant import SERVER, Assistant

WINDSURF = Assistant(
    "windsurf",
    r"windsurf|codeium",
    ("windsurf", "codeium"),
    title="Windsurf",
    commands=("windsurf",),
    by_hand=f"in ~/.codeium/windsurf/mcp_config.json, a server {SERVER}: {{ocm}} serve",
)
