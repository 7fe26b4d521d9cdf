"""Checks of the installation: programs, launcher, registry, git hooks."""

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem import __version__
from gitmem.actions.doctor.finding import (
    INIT,
    Code,
    Finding,
    Grade,
    note,
    ok,
    problem,
    warning,
)
from gitmem.actions.installing import git_hooks as hooks
from gitmem.actions.installing import managed_files
from gitmem.actions.installing.managed_files import launcher_there, shown
from gitmem.actions.installing.plan import StepOutcome, StepResult, foresee
from gitmem.actions.installing.user_files import read_notes
from gitmem.actions.installing.user_settings import is_active
from gitmem.actions.sharing.share_settings import AUTO_PUSH
from gitmem.assistants.assistant import LAUNCHER
from gitmem.config import Environment
from gitmem.git.opening import OLDEST_GIT, git_version, is_too_old, library_versions
from gitmem.store.registry import registrations, registry_path
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

PATIENCE = 20.0
"""Seconds that the launcher's Python may take to start."""

_PYTHON = pattern(r"^python=(.+)$", re.MULTILINE)
_HEAD = 1000
"""Bytes at the beginning of a script that name the Python that runs it."""
_ASKED = "import gitmem.workspace; print(gitmem.__version__)"


def versions(environment: Environment) -> Iterator[Finding]:
    git = git_version(environment.variables)
    if git is None:
        what = "the git command does not run"
        yield problem(Code.VERSIONS, what, "Install git, or add it to the PATH.")
        return
    python = platform.python_version()
    what = f"gitmem {__version__}, Python {python}, {library_versions()}, git {git}"
    if is_too_old(git):
        mend = f"Sharing memory takes git {OLDEST_GIT} or later."
        yield warning(Code.VERSIONS, what, mend, where=sys.executable)
    else:
        yield ok(Code.VERSIONS, what, where=sys.executable)


def on_path(environment: Environment) -> Iterator[Finding]:
    """Check `ocm` on the PATH, the MCP server's last resort."""
    found = shutil.which("ocm", path=environment.variables.get("PATH", ""))
    if found is None:
        mend = "Hooks do without; for your shell, add the folder it is in."
        yield note(Code.PATH, "ocm is not on the PATH", mend)
    elif sys.executable.encode() in _head(Path(found)):
        yield ok(Code.PATH, "ocm on the PATH is this one", where=found)
    else:
        what = "ocm on the PATH is another one than this"
        mend = f"This one runs with {sys.executable}; keep one of them."
        yield warning(Code.PATH, what, mend, where=found)


def launcher(workspace: Workspace) -> Iterator[Finding]:
    """Check the program that starts all hooks and the MCP server."""
    common_dir, home = workspace.repository.common_dir, workspace.environment.home
    is_served = is_active(workspace)
    if not is_served or (common_dir / LAUNCHER).exists():
        yield from _launcher_in(common_dir, "")
    if is_served:
        yield from _launcher_in(home, "user")


def registry(workspace: Workspace) -> Iterator[Finding]:
    home = workspace.environment.home
    common_dir, path = str(workspace.repository.common_dir), registry_path(home)
    if any(one.git_dir == common_dir for one in registrations(home)):
        what = "the repository is in the registry"
        yield ok(Code.REGISTRY, what, where=str(path))
    else:
        what = (
            "the repository is not in the registry: other repositories do not find it"
        )
        yield warning(Code.REGISTRY, what, INIT, where=str(path))


def copies(workspace: Workspace) -> Iterator[Finding]:
    common_dir = workspace.repository.common_dir
    step = managed_files.excluded(common_dir, read_notes(common_dir))
    [result] = foresee([step])
    if result.outcome is StepOutcome.ALREADY:
        yield ok(Code.COPIES, step.what)
    else:
        what = result.reason or "`git status` will show readable copies of sessions"
        yield warning(Code.COPIES, what, INIT)


def git_hooks(workspace: Workspace) -> Iterator[Finding]:
    results = foresee(hooks.planned(workspace))
    for there, result in zip(hooks.installed(workspace), results, strict=True):
        yield _git_hook(there, result)


def _launcher_in(folder: Path, about: str) -> Iterator[Finding]:
    path = folder / LAUNCHER
    [planned] = foresee([launcher_there(folder)])
    grade, state, mend = _launcher_state(path, planned)
    what = f"{shown(path)} {state}"
    yield Finding(grade, Code.LAUNCHER, what, mend, about=about, where=str(path))
    if path.is_file() and not planned.reason:
        yield _python(path)


def _launcher_state(path: Path, planned: StepResult) -> tuple[Grade, str, str]:
    """Return the grade, the state and the remedy."""
    if planned.reason:
        mend = "Move away what is there, and run `ocm init`."
        return Grade.PROBLEM, f"cannot be read: {planned.reason}", mend
    if planned.outcome is StepOutcome.ALREADY:
        return Grade.OK, "is the one of this version", ""
    if not path.is_file():
        state = "is not there, so hooks and MCP server do nothing here"
    elif not os.access(path, os.X_OK):
        return Grade.PROBLEM, "is not executable, so nothing is started", INIT
    else:
        state = "is of another version, or starts another Python"
    return Grade.WARNING, state, INIT


def _python(launcher: Path) -> Finding:
    named = _PYTHON.search(launcher.read_text("utf-8", "replace"))
    python = _unquoted(named[1]) if named else ""
    if fault := _fault_of(python):
        what = f"the Python that {shown(launcher)} starts {fault}"
        mend = "Run `ocm init` with the ocm that you want to keep."
        return problem(Code.LAUNCHER_PYTHON, what, mend, where=python)
    what = f"the Python of {shown(launcher)} has this gitmem"
    return ok(Code.LAUNCHER_PYTHON, what, where=python)


def _fault_of(python: str) -> str:
    """Return what is wrong with a Python, "" for nothing."""
    if not Path(python).is_file():
        return "is not there"
    command = [python, "-EP", "-c", _ASKED]
    try:
        output = subprocess.check_output(
            command,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"took more than {PATIENCE:.0f} seconds"
    except (OSError, subprocess.CalledProcessError):
        return "cannot import gitmem"
    version = output.decode("utf-8", "replace").strip()
    return "" if version == __version__ else f"has gitmem {version}, not {__version__}"


def _unquoted(word: str) -> str:
    with suppress(ValueError):
        return next(iter(shlex.split(word)), "")
    return ""


def _head(path: Path) -> bytes:
    with suppress(OSError), path.open("rb") as file:
        return file.read(_HEAD)
    return b""


def _git_hook(there: hooks.Installed, result: StepResult) -> Finding:
    hook, is_planned = there.hook, result.outcome is StepOutcome.PLANNED
    name, where = hook.name, str(hook.path)
    if there.is_live and there.is_wanted and not is_planned:
        through = f", through {there.owner}" if there.owner else ""
        what = f"{result.step.what}: {name}{through}"
        return ok(Code.GIT_HOOK, what, about=name, where=where)
    advice = result.step.advice
    grade = Grade.WARNING if is_planned or advice else Grade.NOTE
    mend = f"Add to it:\n{advice}" if advice else ""
    what = f"{name} {_hook_state(there, result)}"
    return Finding(
        grade, Code.GIT_HOOK, what, INIT if is_planned else mend, name, where
    )


def _hook_state(there: hooks.Installed, result: StepResult) -> str:
    if result.reason:
        return f"is left to you: {result.reason}"
    if not there.is_wanted:
        return f"is there and does nothing: {AUTO_PUSH} is off"
    return "is not there, not executable, or not as this version has it"
