"""Antigravity: how it is recognised."""

from gitmem.assistants.assistant import SERVER, Assistant

ANTIGRAVITY = Assistant(
    "antigravity",
    r"antigravity",
    ("antigravity",),
    title="Antigravity",
    commands=("antigravity",),
    by_hand=f"in .agents/mcp_config.json, a server {SERVER}: {{ocm}} serve",
)
