"""The folder in which a real client plays: a home, a project, and a scripted model."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clients.client import ALLOWED, Client
from clients.scripted_model import ScriptedModel, listening
from clients.terminal import Terminal, terminal

from gitmem.documents.session.parsing import parse
from gitmem.documents.session.session import Session


@dataclass(frozen=True, slots=True)
class Stage:
    folder: Path
    model: ScriptedModel
    client: Client
    program: Path
    """The client's own."""

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
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **self.client.variables(self.model.address),
        }

    def run(self, *command: str | Path, folder: Path | None = None) -> str:
        """What it prints, complaints included; in the project if not elsewhere."""
        return self._ended(command, folder).stdout

    def do(self, *command: str | Path) -> None:
        """Raises RuntimeError for one that fails."""
        if (ended := self._ended(command)).returncode:
            raise RuntimeError(f"{command} says {ended.stdout}")

    def version(self) -> str:
        found = re.search(r"\d+\.\d+\.\d+", self.run(self.program, "--version"))
        return found[0] if found else "?"

    def prompt(
        self, text: str, *options: str, resume: str = "", folder: Path | None = None
    ) -> list[dict[str, Any]]:
        """One prompt without a terminal; gives the lines of JSON that are printed."""
        printed = self.run(*self._command(text, *options, resume=resume), folder=folder)
        lines = (line for line in printed.splitlines() if line.startswith("{"))
        return [json.loads(line) for line in lines]

    @contextmanager
    def prompted(self, text: str) -> Iterator[subprocess.Popen[bytes]]:
        """The same while the block runs; what is left of it then is killed."""
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
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def terminal(self, *options: str) -> AbstractContextManager[Terminal]:
        """Claude Code in one."""
        asks = ("--permission-mode", "default", "--allowedTools", ALLOWED)
        command = [str(self.program), *asks, *options]
        return terminal(command, self.project, self.environment)

    def settle(self) -> None:
        """Put the client's settings into the home."""
        settings = self.client.settings(self.model.address, self.project)
        for name, text in settings.items():
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def sessions(self, folder: Path | None = None) -> list[Session]:
        """What a memory holds, the newest first; who looks makes it be saved."""
        run = partial(self.run, folder=folder)
        listed = json.loads(run("ocm", "list", "--limit", "50", "--json"))
        ids = [each["session_id"] for each in listed]
        grep = ("git", "grep", "--name-only", "", "refs/ocm/sessions", "--", "*.md")
        documents = (
            parse(Path(place).stem, run("git", "show", place))
            for place in run(*grep).split()
        )
        sessions = {session.session_id: session for session in documents}
        return [sessions[each] for each in ids]

    def _ended(
        self, command: Sequence[str | Path], folder: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
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

    def _command(self, text: str, *options: str, resume: str = "") -> list[str]:
        arguments = self.client.resumed if resume else self.client.prompted
        told = [each.replace("{id}", resume) for each in arguments]
        told = [each.replace("{prompt}", text) for each in told]
        return [str(self.program), *told, *options]


@contextmanager
def stage(client: Client, program: Path) -> Iterator[Stage]:
    """A new stage; `ocm` is the one beside the Python that runs this."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as at, listening() as model:
        made = Stage(Path(at), model, client, program.absolute())
        made.home.mkdir()
        made.project.mkdir()
        made.settle()
        (made.project / "README.md").write_text("# Greetings\n")
        made.run("git", "init", "--quiet", "--initial-branch=main")
        made.run(
            "git", "config", "user.name", "A Person"
        )  # Gemini CLI hides the home's
        made.run("git", "config", "user.email", "person@example.org")
        made.run("git", "add", "README.md")
        made.run("git", "commit", "--quiet", "--message=Begin")
        yield made
