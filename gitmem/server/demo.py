"""The story that `ocm demo` tells: two assistants, two sessions, one repository.

Everything is real but the assistants: a repository, the server in a process of its own
for each of them, and the SDK's client talking to it over standard input and output.
"""

import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import Implementation

from gitmem import __version__
from gitmem.config import current_environment


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that an assistant called, and what came back."""

    tool: str
    arguments: Mapping[str, Any]
    result: Any


@dataclass(frozen=True, slots=True)
class Work:
    """What an assistant did to the files in between."""

    commit: str
    files: tuple[str, ...]


Scene = str | Call | Work
"""A headline, or something that happened."""

_FIRST = {
    "goal": "Stop charging customers twice when the payment provider times out.",
    "slug": "double-charge",
    "work_pending": [
        "Reproduce the double charge in a test",
        "Make a retry safe",
        "Run against the provider's sandbox",
    ],
}
_SECOND = {
    "work_completed": ["Reproduced the double charge", "Made every retry safe"],
    "work_pending": ["Run against the provider's sandbox"],
    "decisions": [
        "**Idempotency key over a lock:** the provider keeps it; ours would be lost."
    ],
    "references": [
        {"url": "https://example.com/docs/idempotency", "title": "Idempotent requests"}
    ],
}
_THIRD = {
    "work_completed": ["Ran 1,000 timeouts in the sandbox: no double charge"],
    "work_pending": [],
    "work_summary": ["Sandbox login: <private>demo / correct horse</private>"],
    "status": "closed",
}
_FOURTH = {
    "goal": "Show a payment that is still pending as pending, not as failed.",
    "slug": "pending-payments",
    "work_pending": ["Poll by idempotency key", "Word the message"],
}
_FIFTH = {
    "work_completed": ["The page polls by the key that retries send"],
    "work_pending": ["Word the message"],
}
_QUESTION = {"query": "why do retries send an idempotency key"}


async def play(folder: Path, tell: Callable[[Scene], None]) -> None:
    """Play the story in `folder`, which is empty, and tell each scene as it happens."""
    _git(folder, "init", "--quiet", "--template=")
    _git(folder, "config", "user.name", "Demo")
    _git(folder, "config", "user.email", "demo@example.com")
    _write_and_commit(folder, "payments: charge a card", "payments/charge.py")

    tell("Claude Code works on a bug, and saves as it goes")
    async with _assistant("claude-code", folder) as claude:
        tell(await _call(claude, "ocm__checkpoint", _FIRST))
        files = ("payments/retry.py", "tests/test_retry.py")
        tell(
            _write_and_commit(folder, "payments: retry with an idempotency key", *files)
        )
        tell(await _call(claude, "ocm__checkpoint", _SECOND))
        tell(await _call(claude, "ocm__checkpoint", _THIRD))

    tell("Cursor knows nothing of it, and asks")
    async with _assistant("cursor-vscode", folder) as cursor:
        tell(await _call(cursor, "ocm__search_sessions", _QUESTION))
        tell(await _call(cursor, "ocm__checkpoint", _FOURTH))
        tell(_write_and_commit(folder, "web: poll a pending payment", "web/pending.py"))
        tell(await _call(cursor, "ocm__checkpoint", _FIFTH))


@asynccontextmanager
async def _assistant(name: str, folder: Path) -> AsyncIterator[Client]:
    """A client by that name, with a server process of its own."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "gitmem", "serve"],
        cwd=folder,
        env={
            **current_environment().variables,  # Python may need them to find itself
            "OCM_PROJECT_DIR": str(folder),
            "OCM_HOME": str(folder / ".git" / "ocm-home"),
        },
    )
    introduced = Implementation(name=name, version=__version__)
    async with Client(server, client_info=introduced) as client:
        yield client


async def _call(client: Client, tool: str, arguments: dict[str, Any]) -> Call:
    result = await client.call_tool(tool, arguments)
    return Call(tool, arguments, result.structured_content)


def _write_and_commit(folder: Path, subject: str, *files: str) -> Work:
    for name in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(f'"""{subject}"""\n', "utf-8")
    _git(folder, "add", *files)
    unsigned = ("-c", "commit.gpgSign=false", "-c", "core.hooksPath=")
    _git(folder, *unsigned, "commit", "--quiet", f"--message={subject}")
    return Work(subject, files)


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True)
