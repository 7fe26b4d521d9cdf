"""`ocm init` and `ocm uninstall` as actions, and whole trees to compare."""

import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from support.harness import content_of

import gitmem
from gitmem.actions.installing import install, uninstall
from gitmem.actions.installing.plan import StepOutcome, StepResult, carry_out
from gitmem.actions.installing.user_settings import Scope
from gitmem.text import jsonc, jsonc_tree
from gitmem.workspace import Workspace

BOTH = ("claude-code", "cursor")
_read = lru_cache(1000)(jsonc_tree.read.__wrapped__)
jsonc.read = _read  # type: ignore[attr-defined]  # tests add the same to the same


def installed(workspace: Workspace, *named: str, **how: Any) -> list[StepResult]:
    """What came of `ocm init --team`, for both assistants where none is named."""
    if how.get("scope", Scope.WORK_TREE) is Scope.WORK_TREE:
        how.setdefault("is_local", False)
    return list(carry_out(install.planned(workspace, named or BOTH, **how).steps))


def uninstalled(workspace: Workspace, **how: Any) -> list[StepResult]:
    return list(carry_out(uninstall.planned(workspace, **how)))


def outcomes(results: list[StepResult]) -> set[StepOutcome]:
    return {result.outcome for result in results}


def result_for(results: list[StepResult], words: str) -> StepResult:
    """The one result whose step says this."""
    (found,) = [result for result in results if words in result.step.state]
    return found


def tree(*folders: Path) -> dict[Path, object]:
    """Everything in the folders: contents of files, targets of links, and modes."""
    return {
        path: (content_of(path), path.lstat().st_mode)
        for folder in folders
        for path in folder.rglob("*")
    }


def put(path: Path, content: bytes, mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    return path


def times(folder: Path) -> dict[Path, int]:
    return {path: path.lstat().st_mtime_ns for path in (folder, *folder.rglob("*"))}


def python_with_gitmem(folder: Path) -> Path:
    """An interpreter that has this gitmem, also where it was told to look nowhere."""
    source = Path(gitmem.__file__).parents[1]
    program = folder / "python with gitmem"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = -EP ] || exit 9\nshift\n'
        f"PYTHONPATH='{source}' exec '{sys.executable}' -P \"$@\"\n"
    )
    program.chmod(0o755)
    return program
