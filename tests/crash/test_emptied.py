"""Files of ours that a power cut left empty, as some file systems do."""

from pathlib import Path

import pytest
from crash.killing import require_soon
from crash.scenarios import memory_of
from crash.warm import Warm
from remote.clones import of_the_user
from support.clones import make_clones

pytestmark = pytest.mark.endurance


def test_what_is_not_synced_may_be_empty(tmp_path: Path, processes: Warm) -> None:
    folder = make_clones(tmp_path / "clones", 1)[0].folder
    commands = [
        ("init", "--assistant", "claude", "--yes"),
        ("checkpoint", "--goal", "A goal."),
        ("search", "goal"),
        ("sync",),
        ("list",),
    ]
    for command in commands:
        require_soon(processes.ocm(folder, *command))
    before = of_the_user(folder / ".git")
    emptied = [path for path in ours(folder) if path.stat().st_size]
    names = {path.name for path in emptied}
    assert {"sync.json", "taken.json", "installed.json", "meta.json"} <= names
    for path in emptied:
        path.write_bytes(b"")
    for command in (*commands[1:], ("status",)):
        require_soon(processes.ocm(folder, *command))
    assert of_the_user(folder / ".git") == before
    goals = [session.goal for session in memory_of(folder).newest()]
    assert goals == ["A goal.", "A goal."]
    require_soon(processes.ocm(folder, "uninstall"))


def ours(folder: Path) -> list[Path]:
    """All but what was acknowledged, which is synced."""
    git_dir = folder / ".git"
    folders = (git_dir / "ocm", git_dir / "ocm-index")
    files = (path for each in folders for path in each.rglob("*") if path.is_file())
    return [path for path in files if path.suffix != ".jsonl" and path.name != "run"]
