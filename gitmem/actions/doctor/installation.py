"""What `ocm doctor` looks at on the machine: programs, variables, the launcher."""

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gitmem import __version__
from gitmem.actions.doctor.finding import INIT, Code, Finding, Grade
from gitmem.actions.installing.everywhere import is_active
from gitmem.actions.installing.managed_files import launcher_there, shown
from gitmem.actions.installing.plan import Outcome, foresee
from gitmem.assistants.configured import LAUNCHER
from gitmem.config import Environment
from gitmem.git.opening import OLDEST_GIT, git_version, is_too_old, library_versions
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

PATIENCE = 20.0
"""Seconds that the launcher's Python may take to start."""

_REDIRECTING = ("OCM_PROJECT_DIR", "GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
"""Variables that lead us or git to another repository than the folder one is in."""
_PYTHON = pattern(r"^python=(.+)$", re.MULTILINE)
_HEAD = 1000
"""Bytes at the beginning of a script that name the Python that runs it."""
_ASKED = "import gitmem.workspace; print(gitmem.__version__)"


def versions(environment: Environment) -> Iterator[Finding]:
    git = git_version(environment.variables)
    if git is None:
        yield Finding(
            code=Code.VERSIONS,
            grade=Grade.PROBLEM,
            what="the git command does not run",
            mend="Install git, or see to the PATH.",
        )
        return
    python, is_old = platform.python_version(), is_too_old(git)
    yield Finding(
        code=Code.VERSIONS,
        grade=Grade.WARNING if is_old else Grade.OK,
        what=f"gitmem {__version__}, Python {python}, {library_versions()}, git {git}",
        where=sys.executable,
        mend=f"Sharing memory takes git {OLDEST_GIT} or later." if is_old else "",
    )


def on_path(environment: Environment) -> Iterator[Finding]:
    """Hooks do not need it; the MCP server does, once the launcher's Python is gone."""
    found = shutil.which("ocm", path=environment.variables.get("PATH", ""))
    if found is None:
        yield Finding(
            code=Code.PATH,
            grade=Grade.NOTE,
            what="ocm is not on the PATH",
            mend="Hooks do without; for your shell, add the folder it is in.",
        )
    elif sys.executable.encode() in _head(Path(found)):
        yield Finding(code=Code.PATH, what="ocm on the PATH is this one", where=found)
    else:
        yield Finding(
            code=Code.PATH,
            grade=Grade.WARNING,
            what="ocm on the PATH is another one than this",
            where=found,
            mend=f"This one runs with {sys.executable}; keep one of them.",
        )


def surroundings(environment: Environment) -> Iterator[Finding]:
    for name in _REDIRECTING:
        if value := environment.variables.get(name):
            yield Finding(
                code=Code.ENVIRONMENT,
                grade=Grade.NOTE,
                about=name,
                what=f"{name} is set: ocm looks there, and not in the folder you are in"
                if name in _REDIRECTING[:2]
                else f"{name} is set, which git follows and ocm does not",
                where=value,
                mend=f"`unset {name}`, unless you meant it.",
            )


def launcher(workspace: Workspace) -> Iterator[Finding]:
    """What all hooks and the MCP server are started by, and the Python it names."""
    common_dir, home = workspace.repository.common_dir, workspace.environment.home
    is_served = is_active(workspace)
    if not is_served or (common_dir / LAUNCHER).exists():
        yield from _launcher_in(common_dir)
    if is_served:
        for finding in _launcher_in(home):
            yield replace(finding, about="user")


def _launcher_in(folder: Path) -> Iterator[Finding]:
    path = folder / LAUNCHER
    [planned] = foresee([launcher_there(folder)])
    if planned.outcome is Outcome.FAILED or not path.is_file():
        yield _not_there(path, planned.reason)
        return
    yield _there(path, is_current=planned.outcome is Outcome.ALREADY)
    yield _python(path)


def _there(path: Path, *, is_current: bool) -> Finding:
    if is_current:
        what = f"{shown(path)} is the one of this version"
        return Finding(code=Code.LAUNCHER, what=what, where=str(path))
    if not os.access(path, os.X_OK):
        return Finding(
            code=Code.LAUNCHER,
            grade=Grade.PROBLEM,
            what=f"{shown(path)} is not executable, so nothing is started",
            where=str(path),
            mend=INIT,
        )
    return Finding(
        code=Code.LAUNCHER,
        grade=Grade.WARNING,
        what=f"{shown(path)} is of another version, or starts another Python",
        where=str(path),
        mend=INIT,
    )


def _not_there(path: Path, reason: str) -> Finding:
    if reason:
        return Finding(
            code=Code.LAUNCHER,
            grade=Grade.PROBLEM,
            what=f"{shown(path)} cannot be read: {reason}",
            where=str(path),
            mend="Move away what is there, and run `ocm init`.",
        )
    return Finding(
        code=Code.LAUNCHER,
        grade=Grade.WARNING,
        what=f"{shown(path)} is not there, so hooks and MCP server do nothing here",
        where=str(path),
        mend=INIT,
    )


def _python(launcher: Path) -> Finding:
    """Whether the Python that the launcher names has this gitmem."""
    named = _PYTHON.search(launcher.read_text("utf-8", "replace"))
    python = _unquoted(named[1]) if named else ""
    fault = _fault_of(python)
    if not fault:
        what = f"the Python of {shown(launcher)} has this gitmem"
        return Finding(code=Code.LAUNCHER_PYTHON, what=what, where=python)
    return Finding(
        code=Code.LAUNCHER_PYTHON,
        grade=Grade.PROBLEM,
        what=f"the Python that {shown(launcher)} starts {fault}",
        where=python,
        mend="Run `ocm init` with the ocm that you want to keep.",
    )


def _fault_of(python: str) -> str:
    """What is wrong with it; nothing where all is well."""
    if not Path(python).is_file():
        return "is not there"
    if not os.access(python, os.X_OK):
        return "is not executable"
    try:
        done = subprocess.run(
            [python, "-EP", "-c", _ASKED],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"took more than {PATIENCE:.0f} seconds"
    except (OSError, subprocess.CalledProcessError):
        return "cannot import gitmem"
    version = done.stdout.decode("utf-8", "replace").strip()
    return "" if version == __version__ else f"has gitmem {version}, not {__version__}"


def _unquoted(word: str) -> str:
    try:
        return next(iter(shlex.split(word)), "")
    except ValueError:
        return ""


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""
