"""A repository in a home, as `ocm doctor` meets them; one in which all is well."""

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.events import event, note, now
from support.installing import installed
from support.workspaces import workspace_at

from gitmem import __version__
from gitmem.actions.doctor.doctor import examine
from gitmem.actions.doctor.finding import Code, Finding, Grade
from gitmem.config import read_environment
from gitmem.documents.event import Start

OK, NOTE, WARNING, PROBLEM = Grade
CLAUDE = "claude-code"
SERVER = "opencodememory"


@dataclass(frozen=True, slots=True)
class Place:
    repository: Path
    home: Path

    @property
    def common_dir(self) -> Path:
        return self.repository / ".git"

    @property
    def launcher(self) -> Path:
        return self.common_dir / "ocm" / "run"

    def write(self, path: str, content: str | bytes) -> Path:
        """A file of the repository, or below `~/` of the home."""
        base = self.home if path.startswith("~/") else self.repository
        file = base / path.removeprefix("~/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def read(self, path: str) -> bytes:
        base = self.home if path.startswith("~/") else self.repository
        return (base / path.removeprefix("~/")).read_bytes()

    def findings(self, **variables: str) -> list[Finding]:
        return self.findings_at(self.repository, **variables)

    def findings_at(self, start: Path, **variables: str) -> list[Finding]:
        values = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "OCM_HOME": str(self.home / "ocm"),
        }
        environment = read_environment(values | variables, start, self.home)
        return examine(environment)

    def found(self, code: Code, about: str = "", **variables: str) -> Finding:
        """The only finding of this code."""
        found = [each for each in self.findings(**variables) if each.code is code]
        [one] = [each for each in found if each.about == about]
        return one

    def grave(self) -> list[Finding]:
        return [each for each in self.findings() if each.grade in (WARNING, PROBLEM)]


def made_healthy(place: Place, python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all that can be done for it; `python` is what we shall be run by."""
    monkeypatch.setattr(sys, "executable", str(python))
    installed(workspace_at(place.repository, OCM_HOME=str(place.home / "ocm")))
    note(place.repository, event(Start, at=now()))


def quick_python(folder: Path) -> Path:
    """What answers as a Python with this gitmem does, in no time."""
    program = folder / "quick python"
    program.write_text(f"#!/bin/sh\necho {__version__}\n")
    program.chmod(0o755)
    return program
