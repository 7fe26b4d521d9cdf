"""All work trees of a repository, as gitrepository-layout(5) says where they are."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.git.layout import work_trees_of
from gitmem.workspace import Workspace, open_other


def work_trees(workspace: Workspace, noted: Iterable[str]) -> list[Workspace]:
    """The one of the workspace first; of the others, those that are there.

    Git does not know where the main one is if its `.git` is elsewhere, so those that
    were noted are looked at as well.
    """
    common_dir = workspace.repository.common_dir
    found = {workspace.root.resolve(): workspace}
    for folder in (*work_trees_of(common_dir), *map(Path, noted)):
        with suppress(GitmemError, OSError):
            other = open_other(workspace.environment, folder)
            if other.repository.common_dir == common_dir:
                found.setdefault(other.root.resolve(), other)
    return list(found.values())
