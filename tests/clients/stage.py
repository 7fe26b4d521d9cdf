"""The folder in which a real client plays: a home, a project, and a scripted model."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients.scripted_model import ScriptedModel, listening
from clients.terminal import Terminal, terminal

from gitmem.assistants.assistant import SERVER, TOOLS
from gitmem.documents.session.parsing import parse
from gitmem.documents.session.session import Session

_KEY = "dummy-key-000000000000"
THEIRS = "Agent Bash Edit Write TaskCreate TaskUpdate"
"""Tools that run without a question; none of them is ours."""
_OURS = " ".join(f"mcp__{SERVER}__{tool}" for tool in TOOLS)
_ALLOWED = f"{THEIRS} {_OURS}"
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
            "MCP_TIMEOUT": "120000",  # 30 s are too few for a start under load
            "IS_SANDBOX": "1",  # root may allow tools only in one
        }

    def run(self, *command: str | Path, folder: Path | None = None) -> str:
        """What it prints, complaints included; in the project if not elsewhere."""
        done = subprocess.run(
            command,
            cwd=folder or self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=300,
        )
        return done.stdout

    def prompt(
        self,
        text: str,
        *options: str,
        allowed: str = _ALLOWED,
        folder: Path | None = None,
    ) -> list[dict[str, Any]]:
        """One prompt without a terminal; gives the lines that Claude Code streams.

        Raises ValueError for anything else that it prints.
        """
        streamed = ("--output-format", "stream-json", "--verbose")
        command = self._command(text, allowed, *streamed, "--include-hook-events")
        printed = self.run(*command, *options, folder=folder)
        return [json.loads(line) for line in printed.splitlines()]

    @contextmanager
    def prompted(self, text: str) -> Iterator[subprocess.Popen[bytes]]:
        """The same while the block runs; what is left of it then is killed."""
        process = subprocess.Popen(
            self._command(text, _ALLOWED),
            cwd=self.project,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def terminal(self, *options: str) -> AbstractContextManager[Terminal]:
        asks = ("--permission-mode", "default", "--allowedTools", _ALLOWED)
        command = [str(self.claude), *asks, *options]
        return terminal(command, self.project, self.environment)

    def sessions(self) -> list[Session]:
        """What the memory holds, the newest first; who looks makes it be saved."""
        listed = json.loads(self.run("ocm", "list", "--limit", "50", "--json"))
        ids = [each["session_id"] for each in listed]
        grep = ("git", "grep", "--name-only", "", "refs/ocm/sessions", "--", "*.md")
        places = {each.rpartition("/")[2]: each for each in self.run(*grep).split()}
        return [
            parse(each, self.run("git", "show", places[f"{each}.md"])) for each in ids
        ]

    def _command(self, text: str, allowed: str, *options: str) -> list[str]:
        return [str(self.claude), "-p", text, "--allowedTools", allowed, *options]


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
