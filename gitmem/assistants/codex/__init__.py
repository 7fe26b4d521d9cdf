"""Codex: how it is recognised, configured and started, and the ids it sends along."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitmem.assistants.assistant import SERVER, Assistant, CommandLine
from gitmem.assistants.codex.hooks import CONFIG, HOOKS, of_home
from gitmem.assistants.targets import AGENTS_RULES, hooks_in, server, server_in


def _ids_in_meta(meta: Mapping[str, Any]) -> Iterator[object]:
    yield meta.get("sessionId")
    turn = meta.get("x-codex-turn-metadata")
    yield turn.get("session_id") if isinstance(turn, Mapping) else None


CODEX = Assistant(
    "codex",
    r"codex",
    ("codex cli", "openai codex", "codex"),
    title="Codex",
    session_variables=("CODEX_SESSION_ID", "CODEX_THREAD_ID"),
    names_itself_in_shell=True,
    ids_in_meta=_ids_in_meta,
    hooks=HOOKS,
    reader="codex.conversations:CODEX",
    command_line=CommandLine(("codex", "resume", "{id}"), ("codex",)),
    commands=("codex",),
    folder=".codex",
    traces=(".codex",),
    targets=(
        server_in(
            ".codex/config.toml",
            "Codex",
            server("OCM_PROJECT_DIR")._replace(keys=("mcp_servers", SERVER)),
            user=CONFIG,
            manual_advice=f"codex mcp add {SERVER} -- {{ocm}} serve",
        ),
        hooks_in(
            ".codex/hooks.json", "Codex", "codex/hooks.json", user=of_home("hooks.json")
        ),
        AGENTS_RULES,
    ),
    asks="Codex will ask whether you trust this folder, before it reads its .codex.",
    shows="Trust the folder, and its hooks with `/hooks`: `codex exec` runs no others."
    " `/mcp` shows the server.",
    asks_of_hooks="Codex will ask you to review its hooks: trust them, or do so later"
    " with `/hooks`. `codex exec` asks nothing, and runs only hooks that you trust.",
)
