"""A repository with the launcher, and what that tells Python.

Python is stood in for by a program that keeps what it is told.
"""

from dataclasses import dataclass
from pathlib import Path
from shutil import which

from hook.calls import install
from support.events import event, note

from gitmem.documents.event import Start

ONE = "11111111-2222-4333-8444-555555555555"
SHELLS = [
    shell
    for shell in ("dash", "bash --posix", "busybox sh")
    if which(shell.partition(" ")[0])
]


@dataclass(frozen=True, slots=True)
class Project:
    root: Path
    run: Path
    told: Path


def project_at(repository: Path) -> Project:
    """A conversation is seen to begin in the repository."""
    python, told = repository.parent / "python", repository.parent / "told"
    python.write_text(f"#!/bin/sh\ncat >'{told}'\n")
    python.chmod(0o755)
    note(repository, event(Start, client=ONE, root=str(repository), source="startup"))
    return Project(repository, install(repository, str(python)), told)
