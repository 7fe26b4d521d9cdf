"""Codex: how it is recognised, configured and started, and the ids it sends along."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gitmem.assistants.assistant import (
    AGENTS_RULES,
    SERVER,
    Assistant,
    Check,
    Checked,
    CommandLine,
    Hooks,
    Target,
    server,
)
from gitmem.assistants.codex.hooks import HOOKS, home_of

if TYPE_CHECKING:
    from gitmem.assistants.transcripts import TranscriptReader


def _reader() -> "TranscriptReader":
    from gitmem.assistants.codex.conversations import CODEX

    return CODEX


def _checks(checked: Checked) -> Iterator[Check]:
    from gitmem.assistants.codex.checks import checks

    return checks(checked)


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
    reader=_reader,
    checks=_checks,
    command_line=CommandLine(("codex", "resume", "{id}"), ("codex",)),
    commands=("codex",),
    folder=".codex",
    traces=(".codex",),
    targets=(
        Target(
            path=".codex/config.toml",
            user=lambda home, variables: home_of(home, variables) / "config.toml",
            what="Codex starts the MCP server as {path} says",
            content=server("OCM_PROJECT_DIR")._replace(keys=("mcp_servers", SERVER)),
            by_hand=f"codex mcp add {SERVER} -- {{ocm}} serve",
        ),
        Target(
            path=".codex/hooks.json",
            user=lambda home, variables: home_of(home, variables) / "hooks.json",
            what="Codex runs the hooks in {path}",
            content=Hooks("hooks/codex/hooks.json"),
        ),
        AGENTS_RULES,
    ),
    asks="Codex will ask whether you trust this folder, before it reads its .codex.",
    asks_of_hooks="Codex will ask you to review its hooks: trust them, or do so later"
    " with `/hooks`. `codex exec` asks nothing, and runs only hooks that you trust.",
)
