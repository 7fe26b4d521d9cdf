"""Assistants as they call their hooks: recorded events, in a repository of the test.

The records are what real clients sent, with `/home/dev/project` for their project.
"""

import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gitmem.documents.event import Client, Event, Recalled
from gitmem.documents.event_log import events_in
from gitmem.resources import resource
from gitmem.store.journal.journal import Journal, journal_name

FIXTURES = Path(__file__).parents[1] / "fixtures"
CLAUDE, COPILOT = "claude-code-2.1.197", "copilot-cli-1.0.102"
CODEX = "codex-0.169.0"
GEMINI = "gemini-cli-0.61.0"
CLAUDE_330 = "claude-code-2.1.330"
PROJECT = "/home/dev/project"
SESSION = "0b3093dd-f35d-4534-89ea-c8e75944ebe3"

Hear = Callable[..., str]
"""Gives an event to the hook in this process; what it prints."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a client gives to a hook."""

    payload: dict[str, Any]
    variables: dict[str, str]

    @property
    def event(self) -> str:
        return str(self.payload.get("hook_event_name", ""))

    @property
    def tool(self) -> str:
        return str(self.payload.get("tool_name", ""))


def records(client: str) -> list[str]:
    return sorted(path.stem for path in (FIXTURES / client).glob("*.json"))


def recorded(client: str, name: str, root: Path) -> Call:
    """A record, as if its project had been at `root`."""
    text = (FIXTURES / client / f"{name}.json").read_text("utf-8")
    data = json.loads(text.replace(PROJECT, json.dumps(str(root))[1:-1]))
    return Call(data["stdin"], data["env"])


def claude(name: str, root: Path, session: str = SESSION, **values: Any) -> Call:
    """A record of Claude Code, in the conversation `session`, with other values."""
    call = recorded(CLAUDE, name, root)
    payload = {**call.payload, "session_id": session, **values}
    return Call(payload, {**call.variables, "CLAUDE_CODE_SESSION_ID": session})


def edit(root: Path, path: str, session: str = SESSION, **response: Any) -> Call:
    """An edit of Claude Code."""
    call = claude("PostToolUse-Write", root, session)
    response = {**call.payload["tool_response"], "type": "update", **response}
    arguments = {**call.payload["tool_input"], "file_path": path}
    changed = {"tool_input": arguments, "tool_response": response}
    return Call({**call.payload, **changed}, call.variables)


def stdin_of(call: Call) -> bytes:
    """The payload as the clients write it: one line, without spaces."""
    text = json.dumps(call.payload, separators=(",", ":"), ensure_ascii=False)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def events(repository: Path, session: str = SESSION) -> list[Event]:
    journal = Journal(repository / ".git" / "ocm" / "journal")
    return events_in(journal.lines(journal_name(session)))


def kinds(repository: Path, session: str = SESSION) -> list[str]:
    """Of what happened; which process the client is stands behind every beginning.

    And what the client was told.
    """
    apart = Client | Recalled
    seen = (e for e in events(repository, session) if not isinstance(e, apart))
    return [type(event).__name__ for event in seen]


def log_of(repository: Path) -> str:
    log = repository / ".git" / "ocm" / "log"
    return log.read_text("utf-8") if log.exists() else ""


def install(repository: Path, python: str | Path) -> Path:
    """The launcher, as `ocm init` writes it."""
    run = repository / ".git" / "ocm" / "run"
    run.parent.mkdir(exist_ok=True)
    template = resource("hooks/run").read_text("utf-8")
    run.write_text(template.replace("@PYTHON@", shlex.quote(str(python))), "utf-8")
    run.chmod(0o755)
    return run


@cache
def registered() -> Mapping[str, Any]:
    """The hooks that `ocm init` puts into Claude Code's settings."""
    text = resource("hooks/claude-code/settings.json").read_text("utf-8")
    hooks: Mapping[str, Any] = json.loads(text)["hooks"]
    return hooks


def commands_for(call: Call) -> Iterator[str]:
    """The commands that Claude Code runs on an event."""
    for entry in registered().get(call.event, []):
        subject = call.tool or call.payload.get("source", "")
        if re.fullmatch(entry.get("matcher", ".*"), subject):
            yield from (hook["command"] for hook in entry["hooks"])


def run_command(
    command: str, call: Call, folder: Path, shell: str = "sh"
) -> subprocess.CompletedProcess[bytes]:
    """Run as clients do, with the event on stdin."""
    return subprocess.run(
        [*shell.split(), "-c", command],
        input=stdin_of(call),
        cwd=folder,
        env={**os.environ, **call.variables},
        capture_output=True,
        check=False,
        timeout=60,
    )
