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
from gitmem.actions.installing.managed_files import launcher_step, short_path
from gitmem.actions.installing.plan import StepOutcome, StepResult, preview
from gitmem.actions.installing.user_files import read_manifest
from gitmem.actions.installing.user_settings import is_active
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
        message = "the git command does not run"
        yield problem(Code.VERSIONS, message, "Install git, or add it to the PATH.")
        return
    python = platform.python_version()
    message = f"gitmem {__version__}, Python {python}, {library_versions()}, git {git}"
    if is_too_old(git):
        remedy = f"Sharing memory takes git {OLDEST_GIT} or later."
        yield warning(Code.VERSIONS, message, remedy, location=sys.executable)
    else:
        yield ok(Code.VERSIONS, message, location=sys.executable)


def on_path(environment: Environment) -> Iterator[Finding]:
    """Check `ocm` on the PATH, the MCP server's last resort."""
    program = shutil.which("ocm", path=environment.variables.get("PATH", ""))
    if program is None:
        remedy = "Hooks do without; for your shell, add the folder it is in."
        yield note(Code.PATH, "ocm is not on the PATH", remedy)
    elif sys.executable.encode() in _head(Path(program)):
        yield ok(Code.PATH, "ocm on the PATH is this one", location=program)
    else:
        message = "ocm on the PATH is another one than this"
        remedy = f"This one runs with {sys.executable}; keep one of them."
        yield warning(Code.PATH, message, remedy, location=program)


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
    if any(registration.git_dir == common_dir for registration in registrations(home)):
        message = "the repository is in the registry"
        yield ok(Code.REGISTRY, message, location=str(path))
    else:
        message = (
            "the repository is not in the registry: other repositories do not find it"
        )
        yield warning(Code.REGISTRY, message, INIT, location=str(path))


def copies(workspace: Workspace) -> Iterator[Finding]:
    common_dir = workspace.repository.common_dir
    step = managed_files.exclude_step(common_dir, read_manifest(common_dir))
    [result] = preview([step])
    if result.outcome is StepOutcome.ALREADY:
        yield ok(Code.COPIES, step.state)
    else:
        message = result.reason or "`git status` will show readable copies of sessions"
        yield warning(Code.COPIES, message, INIT)


def git_hooks(workspace: Workspace) -> Iterator[Finding]:
    results = preview(hooks.planned(workspace))
    for hook, result in zip(hooks.installed(workspace), results, strict=True):
        yield _git_hook(hook, result)


def _launcher_in(folder: Path, about: str) -> Iterator[Finding]:
    path = folder / LAUNCHER
    [planned] = preview([launcher_step(folder)])
    grade, state, remedy = _launcher_state(path, planned)
    message = f"{short_path(path)} {state}"
    yield Finding(
        grade, Code.LAUNCHER, message, remedy, about=about, location=str(path)
    )
    if path.is_file() and not planned.reason:
        yield _python(path)


def _launcher_state(path: Path, planned: StepResult) -> tuple[Grade, str, str]:
    """Return the grade, the state and the remedy."""
    if planned.reason:
        remedy = "Move away what is there, and run `ocm init`."
        return Grade.PROBLEM, f"cannot be read: {planned.reason}", remedy
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
    match = _PYTHON.search(launcher.read_text("utf-8", "replace"))
    python = _unquoted(match[1]) if match else ""
    if fault := _fault_of(python):
        message = f"the Python that {short_path(launcher)} starts {fault}"
        remedy = "Run `ocm init` with the ocm that you want to keep."
        return problem(Code.LAUNCHER_PYTHON, message, remedy, location=python)
    message = f"the Python of {short_path(launcher)} has this gitmem"
    return ok(Code.LAUNCHER_PYTHON, message, location=python)


def _fault_of(python: str) -> str:
    """Return what is wrong with a Python, "" for nothing."""
    if not Path(python).is_file():
        return "is not there"
    # -E and -P: neither variables nor the current folder may name modules to import.
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


def _git_hook(state: hooks.HookState, result: StepResult) -> Finding:
    hook, is_planned = state.hook, result.outcome is StepOutcome.PLANNED
    name, location = hook.name, str(hook.path)
    if state.is_live and state.is_wanted and not is_planned:
        through = f", through {state.owner}" if state.owner else ""
        message = f"{result.step.state}: {name}{through}"
        return ok(Code.GIT_HOOK, message, about=name, location=location)
    advice = result.step.advice
    grade = Grade.WARNING if is_planned or advice else Grade.NOTE
    remedy = f"Add to it:\n{advice}" if advice else ""
    message = f"{name} {_hook_state(state, result)}"
    return Finding(
        grade, Code.GIT_HOOK, message, INIT if is_planned else remedy, name, location
    )


def _hook_state(state: hooks.HookState, result: StepResult) -> str:
    if result.reason:
        return f"is left to you: {result.reason}"
    if not state.is_wanted:
        setting = hooks.OPTIONAL[state.hook.name]
        return f"is there and does nothing: {setting} is off"
    return "is not there, not executable, or not as this version has it"
