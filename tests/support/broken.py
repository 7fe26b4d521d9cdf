"""Repositories that were broken once, and frozen so."""

import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from support.workspaces import workspace_at

from gitmem.actions.doctor.doctor import Repairs, examine, repair
from gitmem.actions.doctor.finding import Code, Finding
from gitmem.config import Environment, read_environment
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Broken:
    """A repository as it was frozen, and the home that belongs to it."""

    folder: Path
    home: Path

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    @property
    def git_dir(self) -> Path:
        return self.repository / ".git"

    @property
    def acknowledged(self) -> set[str]:
        return set(json.loads((self.folder / "acknowledged.json").read_text()))

    @property
    def environment(self) -> Environment:
        return read_environment(os.environ, self.repository, self.home)

    def workspace(self) -> Workspace:
        return workspace_at(self.repository)

    def goals(self) -> set[str]:
        return {each.goal for each in self.workspace().store.memory().newest()}

    def findings(self) -> list[Finding]:
        return examine(self.environment)

    def mendable(self, code: Code) -> list[Finding]:
        return [f for f in self.findings() if f.code is code and f.is_repairable]

    def repair(self) -> Repairs:
        return repair(self.environment)


Thaw = Callable[[str], Broken]
"""Gives the frozen repository of a name."""


def check_git(repository: Path) -> None:
    done = subprocess.run(
        ["git", "fsck", "--full", "--no-dangling"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "error" in line]
    assert (done.returncode, done.stdout, said) == (0, "", [])
