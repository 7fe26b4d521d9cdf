"""Find the removed work trees in which conversations were held or edited files.

Git forgets a work tree that is removed. Its name, or what the transcript records, says
that it was one of this repository and not a project that stood beside it.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from gitmem.assistants.assistant import EventKind, HookEvent
from gitmem.assistants.transcripts import Transcript, printed_commits
from gitmem.assistants.transcripts.in_repository import RepositoryFolders
from gitmem.documents.names import fold
from gitmem.git.repository import Repository

_SHARED = r"/.*?/(?:\.[\w-]*)?work-?trees?"
"""A folder of work trees of any repository, as `~/.codex/worktrees`."""
_NAMED = r"/.*?/{name}[.-]work-?trees?/[^/]+|{shared}/(?:{name}/[^/]+|[^/]+/{name})"
_UNNAMED = r"{shared}/[^/]+/[^/]+|{root}[-._][^/]+"
_DEFAULT_BRANCHES = {"main", "master"}


def removed_trees(
    folders: RepositoryFolders, transcript: Transcript, git: Repository
) -> dict[Path, bool]:
    """Return removed folders with the form of a work tree, and which were ours."""
    is_held = folders.without_former().holds
    unknown = {folder for folder in _folders(transcript) if not is_held(folder)}
    by_name = (_by_name(folders, os.path.normpath(folder)) for folder in unknown)
    trees = dict(filter(None, by_name)) | dict.fromkeys(
        _below_former(folders, transcript), True
    )
    return {
        tree: _is_recorded(tree, folders, transcript, git, is_named=is_named)
        for tree, is_named in trees.items()
    }


def edits_in(tree: Path, transcript: Transcript) -> list[Path]:
    """Return the paths of edited files in a work tree, relative to it."""
    paths = (Path(edit.folder, edit.path) for edit in _edits(transcript))
    return [path.relative_to(tree) for path in paths if path.is_relative_to(tree)]


def _below_former(folders: RepositoryFolders, transcript: Transcript) -> Iterator[Path]:
    """Yield a removed work tree that a former folder held, beside others.

    The repository has no such folder, but the folders and files that were edited in it.
    """
    for former in folders.former:
        if former in Path(transcript.folder).parents:
            tree = former / Path(transcript.folder).relative_to(former).parts[0]
            edited = edits_in(tree, transcript)
            tops = {folders.roots[0].joinpath(*path.parts[:1]) for path in edited}
            if not (folders.roots[0] / tree.name).exists() and any(
                map(Path.exists, tops)
            ):
                yield tree


def _folders(transcript: Transcript) -> Iterator[str]:
    yield transcript.folder
    for edit in _edits(transcript):
        yield edit.folder
        yield str(Path(edit.folder, edit.path).parent)


def _edits(transcript: Transcript) -> Iterator[HookEvent]:
    return (seen for seen in transcript.events if seen.kind is EventKind.EDIT)


def _by_name(folders: RepositoryFolders, folder: str) -> tuple[Path, bool] | None:
    """Return the removed work tree of a folder, and if it is named for the repository.

    What bears the name of a repository that has work trees there now is not.
    """
    root = folders.roots[0]
    values = {"name": re.escape(root.name), "root": re.escape(str(root))}
    for form in (_NAMED, _UNNAMED):
        match = re.match(
            form.format(shared=_SHARED, **values), os.path.normpath(folder)
        )
        if match and not os.path.lexists(match[0]):
            tree = Path(match[0])
            return tree, form is _NAMED and not _is_near_another(folders, tree)
    return None


def _is_near_another(folders: RepositoryFolders, tree: Path) -> bool:
    is_below_id = tree.name == folders.roots[0].name
    marks = (
        tree.parent.parent.glob(f"*/{tree.name}/.git")
        if is_below_id
        else [tree.parent / ".git", *tree.parent.glob("*/.git")]
    )
    return any(
        mark.exists() and mark.parent.resolve() not in folders.roots for mark in marks
    )


def _is_recorded(
    tree: Path,
    folders: RepositoryFolders,
    transcript: Transcript,
    git: Repository,
    *,
    is_named: bool,
) -> bool:
    """Tell whether the transcript shows a commit, a branch or a command of ours."""
    is_held_there = Path(transcript.folder).is_relative_to(tree)
    if is_held_there and transcript.base:
        return git.full_name(transcript.base) is not None
    if is_named or (
        is_held_there and _has_branch(tree, folders, transcript.branch or "", git)
    ):
        return True
    runs = [
        run for run in transcript.runs if tree.name in f"{run.folder} {run.command}"
    ]
    if any("worktree add" in run.command and folders.holds(run.folder) for run in runs):
        return True
    commits = [*(transcript.commits if is_held_there else ())]
    commits += (
        commit for run in runs for commit in printed_commits(run.command, run.output)
    )
    return any(git.full_name(commit.sha) for commit in commits)


def _has_branch(
    tree: Path, folders: RepositoryFolders, branch: str, git: Repository
) -> bool:
    """Tell whether a branch of the repository gave a work tree its name."""
    words = f"-{fold(tree.name.removeprefix(folders.roots[0].name))}"
    is_alike = words.endswith(name := f"-{fold(branch)}") or name.endswith(words)
    if branch in _DEFAULT_BRANCHES or not is_alike or "-" in (words, name):
        return False
    heads = {ref.split("/", 2)[-1] for ref in git.refs("refs/heads/")}
    tracked = {ref.split("/", 3)[-1] for ref in git.refs("refs/remotes/")}
    return branch in heads | tracked
