"""All work trees of a repository, as gitrepository-layout(5) says where they are."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.workspace import Workspace, open_other


def work_trees(workspace: Workspace) -> list[Workspace]:
    """The one of the workspace first; of the others, those that are there."""
    common_dir = workspace.repository.common_dir
    found = {workspace.root.resolve(): workspace}
    for folder in _named(common_dir):
        with suppress(GitmemError, OSError):
            other = open_other(workspace.environment, folder)
            if other.repository.common_dir == common_dir:
                found.setdefault(other.root.resolve(), other)
    return list(found.values())


def _named(common_dir: Path) -> Iterator[Path]:
    if common_dir.name == ".git":
        yield common_dir.parent
    for file in sorted(common_dir.glob("worktrees/*/gitdir")):
        with suppress(OSError, UnicodeDecodeError):
            yield (file.parent / file.read_text("utf-8").strip()).parent
