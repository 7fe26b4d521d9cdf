"""The work trees of a repository, and where assistants keep transcripts for them."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from gitmem.assistants.transcripts import TranscriptReader
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.errors import GitmemError
from gitmem.git.layout import work_trees_of
from gitmem.workspace import Workspace, open_other


def work_trees(workspace: Workspace, recorded: Iterable[str] = ()) -> list[Workspace]:
    """Return the work trees of the repository, that of the workspace first.

    Git does not know the main one if its `.git` is elsewhere: `recorded` roots count.
    """
    common_dir = workspace.repository.common_dir
    trees = {workspace.root.resolve(): workspace}
    for folder in (*work_trees_of(common_dir), *map(Path, recorded)):
        with suppress(GitmemError, OSError):
            tree = open_other(workspace.environment, folder)
            if tree.repository.common_dir == common_dir:
                trees.setdefault(tree.root.resolve(), tree)
    return list(trees.values())


def repository_folders(
    workspace: Workspace, moved_from: Sequence[Path] = ()
) -> RepositoryFolders:
    """Return the work trees, with those that are gone and that git still lists."""
    git = workspace.repository
    removed = [tree for tree in work_trees_of(git.common_dir) if not tree.exists()]
    return RepositoryFolders(_roots(workspace), moved_from, git.is_ignored, removed)


def transcript_folders(
    workspace: Workspace, reader: TranscriptReader, moved_from: Sequence[Path] = ()
) -> list[Path]:
    """Return where the assistant keeps conversations held in the work trees."""
    environment = workspace.environment
    roots = [*_roots(workspace), *(path.absolute() for path in moved_from)]
    folders = reader.places(environment.user_home, environment.variables, roots)
    return list(dict.fromkeys(folders))


def _roots(workspace: Workspace) -> list[Path]:
    return [tree.root.resolve() for tree in work_trees(workspace)]
