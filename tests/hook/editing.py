"""Edits told to the launcher, and who notes them.

Python is stood in for by a program that keeps what it is told.
"""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from hook.calls import Call, events, install, stdin_of
from support.events import event, note

from gitmem.assistants.assistant import HookEvent
from gitmem.assistants.claude_code.hooks import seen as claude_seen
from gitmem.documents.event import Edit, Start
from gitmem.git.values import Change

ONE = "11111111-2222-4333-8444-555555555555"
SHELLS = [
    shell
    for shell in ("dash", "bash --posix", "busybox sh")
    if which(shell.partition(" ")[0])
]


@dataclass(frozen=True, slots=True)
class Project:
    """A repository with a conversation in it, and a launcher without Python."""

    root: Path
    run: Path
    told: Path

    def edited(self, call: Call, named: str = "claude-code", shell: str = "sh") -> None:
        self.told.unlink(missing_ok=True)
        done = subprocess.run(
            [*shell.split(), str(self.run), "edit", named],
            input=stdin_of(call),
            cwd=self.root,
            env={**os.environ, **call.variables},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")

    def noted(self, tool: str = "claude-code") -> list[tuple[str, Change]]:
        """Edits that the shell noted."""
        noted = [e for e in events(self.root, ONE) if isinstance(e, Edit)]
        for each in noted:
            assert (each.tool, each.client_session_id) == (tool, ONE)
            assert each.root == str(self.root)
        return [(each.path, each.change) for each in noted]

    def handed(self) -> HookEvent | None:
        """What Python was told, as it reads it."""
        if not self.told.exists():
            return None
        return claude_seen(json.loads(self.told.read_bytes()))

    def forget(self) -> None:
        journal = self.root / ".git" / "ocm" / "journal" / f"{ONE}.jsonl"
        lines = journal.read_text("utf-8").splitlines(keepends=True)
        journal.write_text("".join(lines[:2]), "utf-8")


def project_at(repository: Path) -> Project:
    """A conversation is seen to begin in the repository."""
    python, told = repository.parent / "python", repository.parent / "told"
    python.write_text(f"#!/bin/sh\ncat >'{told}'\n")
    python.chmod(0o755)
    note(repository, event(Start, client=ONE, root=str(repository), source="startup"))
    return Project(repository, install(repository, str(python)), told)
