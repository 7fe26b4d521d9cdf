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
    here: RepositoryFolders, read: Transcript, git: Repository
) -> dict[Path, bool]:
    """Return removed folders with the form of a work tree, and which were ours."""
    is_held = here.without_former().holds
    folders = {folder for folder in _folders(read) if not is_held(folder)}
    by_name = (_by_name(here, os.path.normpath(folder)) for folder in folders)
    trees = dict(filter(None, by_name)) | dict.fromkeys(_below_former(here, read), True)
    return {
        tree: _is_recorded(tree, here, read, git, is_named=is_named)
        for tree, is_named in trees.items()
    }


def with_removed_trees(
    here: RepositoryFolders, read: Transcript, git: Repository
) -> RepositoryFolders:
    trees = removed_trees(here, read, git).items()
    return here.joined(tree for tree, is_ours in trees if is_ours)


def edits_in(tree: Path, read: Transcript) -> list[Path]:
    """Return the paths of edited files in a work tree, relative to it."""
    paths = (Path(each.folder, each.path) for each in _edits(read))
    return [path.relative_to(tree) for path in paths if path.is_relative_to(tree)]


def _below_former(here: RepositoryFolders, read: Transcript) -> Iterator[Path]:
    """Yield a removed work tree that a former folder held, beside others.

    The repository has no such folder, but the folders and files that were edited in it.
    """
    for former in here.former:
        if former in Path(read.folder).parents:
            tree = former / Path(read.folder).relative_to(former).parts[0]
            edited = edits_in(tree, read)
            tops = {here.roots[0].joinpath(*path.parts[:1]) for path in edited}
            if not (here.roots[0] / tree.name).exists() and any(map(Path.exists, tops)):
                yield tree


def _folders(read: Transcript) -> Iterator[str]:
    yield read.folder
    for edit in _edits(read):
        yield edit.folder
        yield str(Path(edit.folder, edit.path).parent)


def _edits(read: Transcript) -> Iterator[HookEvent]:
    return (seen for seen in read.events if seen.kind is EventKind.EDIT)


def _by_name(here: RepositoryFolders, folder: str) -> tuple[Path, bool] | None:
    """Return the removed work tree of a folder, and if it is named for the repository.

    What bears the name of a repository that has work trees there now is not.
    """
    root = here.roots[0]
    values = {"name": re.escape(root.name), "root": re.escape(str(root))}
    for form in (_NAMED, _UNNAMED):
        found = re.match(
            form.format(shared=_SHARED, **values), os.path.normpath(folder)
        )
        if found and not os.path.lexists(found[0]):
            tree = Path(found[0])
            return tree, form is _NAMED and not _is_near_another(here, tree)
    return None


def _is_near_another(here: RepositoryFolders, tree: Path) -> bool:
    is_below_id = tree.name == here.roots[0].name
    marks = (
        tree.parent.parent.glob(f"*/{tree.name}/.git")
        if is_below_id
        else [tree.parent / ".git", *tree.parent.glob("*/.git")]
    )
    return any(
        mark.exists() and mark.parent.resolve() not in here.roots for mark in marks
    )


def _is_recorded(
    tree: Path,
    here: RepositoryFolders,
    read: Transcript,
    git: Repository,
    *,
    is_named: bool,
) -> bool:
    """Tell whether the transcript shows a commit, a branch or a command of ours."""
    is_held_there = Path(read.folder).is_relative_to(tree)
    if is_held_there and read.base:
        return git.full_name(read.base) is not None
    if is_named or (is_held_there and _has_branch(tree, here, read.branch or "", git)):
        return True
    ran = [each for each in read.runs if tree.name in f"{each.folder} {each.command}"]
    if any("worktree add" in each.command and here.holds(each.folder) for each in ran):
        return True
    made = [*(read.commits if is_held_there else ())]
    made += (
        commit for each in ran for commit in printed_commits(each.command, each.output)
    )
    return any(git.full_name(commit.sha) for commit in made)


def _has_branch(
    tree: Path, here: RepositoryFolders, branch: str, git: Repository
) -> bool:
    """Tell whether a branch of the repository gave a work tree its name."""
    words = f"-{fold(tree.name.removeprefix(here.roots[0].name))}"
    is_alike = words.endswith(name := f"-{fold(branch)}") or name.endswith(words)
    if branch in _DEFAULT_BRANCHES or not is_alike or "-" in (words, name):
        return False
    heads = {ref.split("/", 2)[-1] for ref in git.refs("refs/heads/")}
    tracked = {ref.split("/", 3)[-1] for ref in git.refs("refs/remotes/")}
    return branch in heads | tracked
