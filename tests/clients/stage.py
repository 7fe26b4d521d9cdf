"""The folder in which a real client plays: a home, a project, and a scripted model."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients.scripted_model import ScriptedModel, listening
from clients.terminal import Terminal, terminal

from gitmem.model.reader import parse
from gitmem.model.session import Session

_KEY = "dummy-key-000000000000"
_ALLOWED = "Bash Edit Write TaskCreate TaskUpdate mcp__opencodememory__ocm__checkpoint"
_GIT_CONFIG = """[user]
	name = A Person
	email = person@example.org
[init]
	defaultBranch = main
"""


@dataclass(frozen=True, slots=True)
class Stage:
    folder: Path
    model: ScriptedModel
    claude: Path
    tools: Path
    """Where `ocm` is installed."""

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": f"{self.tools}:/usr/local/bin:/usr/bin:/bin",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "ANTHROPIC_API_KEY": _KEY,
            "ANTHROPIC_BASE_URL": self.model.address,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",  # root may allow tools only in one
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_BASE_URL": f"{self.model.address}/v1",
            "COPILOT_PROVIDER_API_KEY": _KEY,
            "COPILOT_MODEL": "scripted",
        }

    def run(self, *command: str | Path) -> str:
        """What it prints, complaints included."""
        done = subprocess.run(
            command,
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
        return done.stdout

    def prompt(self, text: str, *options: str) -> list[dict[str, Any]]:
        """One prompt without a terminal; gives the lines that Claude Code streams.

        Raises ValueError for anything else that it prints.
        """
        streamed = ("--output-format", "stream-json", "--verbose")
        command = self._command(text, *streamed, "--include-hook-events", *options)
        printed = self.run(*command)
        return [json.loads(line) for line in printed.splitlines()]

    @contextmanager
    def prompted(self, text: str) -> Iterator[None]:
        """The same, killed with all that it started when the block is left."""
        process = subprocess.Popen(
            self._command(text),
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def terminal(self, *options: str) -> AbstractContextManager[Terminal]:
        command = [str(self.claude), "--allowedTools", _ALLOWED, *options]
        return terminal(command, self.project, self.environment)

    def sessions(self) -> list[Session]:
        """What the memory holds, the newest first."""
        listed = json.loads(self.run("ocm", "list", "--limit", "50", "--json"))
        ids = [each["session_id"] for each in listed]
        return [parse(each, self.run("ocm", "show", each)) for each in ids]

    def _command(self, text: str, *options: str) -> list[str]:
        return [str(self.claude), "-p", text, "--allowedTools", _ALLOWED, *options]


@contextmanager
def stage(folder: Path, claude: Path, tools: Path) -> Iterator[Stage]:
    """A new stage in a folder that is empty or not there."""
    with listening() as model:
        made = Stage(folder, model, claude, tools)
        made.home.mkdir(parents=True)
        made.project.mkdir()
        _furnish(made)
        yield made


def _furnish(stage: Stage) -> None:
    """A home whose user has answered what a client asks at its very first start."""
    (stage.home / ".gitconfig").write_text(_GIT_CONFIG)
    answered = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
    }
    (stage.home / ".claude.json").write_text(json.dumps(answered))
    (stage.project / "README.md").write_text("# Greetings\n")
    stage.run("git", "init", "--quiet")
    stage.run("git", "add", "README.md")
    stage.run("git", "commit", "--quiet", "--message=Begin")
