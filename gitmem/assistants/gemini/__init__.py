"""Gemini CLI: how it is recognised and started."""

from gitmem.assistants.assistant import SERVER, Assistant, CommandLine

GEMINI = Assistant(
    "gemini-cli",
    r"gemini",
    ("gemini cli", "gemini-cli", "google gemini", "gemini"),
    title="Gemini CLI",
    session_variables=("GEMINI_SESSION_ID",),
    command_line=CommandLine(
        ("gemini", "--resume", "{id}"), ("gemini", "--prompt-interactive")
    ),
    commands=("gemini",),
    by_hand=f"in .gemini/settings.json, a server {SERVER}: {{ocm}} serve",
)
