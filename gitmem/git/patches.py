"""Patches, as git writes them: of commits, and of what is in none."""

from collections.abc import Collection, Iterable, Iterator

from gitmem.git.command import RefusedError
from gitmem.git.odb.objects import GitObject, ObjectType
from gitmem.git.plumbing.process import askable, fields, text
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.git.work_tree import DIFF

_COLOR = ("config", "--get-colorbool", "color.diff", "true")
_ALL_TIPS = ("--branches", "--remotes", "--tags")
_UNTRACKED = ("ls-files", "--others", "--exclude-standard", "-z", "--")


def commit_patches(
    git: Repository, commits: Collection[Oid], paths: Iterable[str], *, is_colored: bool
) -> str:
    """Return what `git show` says of commits, as far as it is about `paths`.

    About all files where `paths` has none. Colored only as the user has it set.
    """
    if not commits:
        return ""
    listed_paths = [
        path for batch in askable(paths) for path in batch if "\n" not in path
    ]
    stdin = "\n".join([*commits, "--", *listed_paths, ""]).encode(
        errors="surrogateescape"
    )
    with git.translated("a commit"):
        color = is_colored and git.output(*_COLOR) == b"true\n"
        color_option = "--color=always" if color else "--color=never"
        return text(git.output("show", color_option, "--stdin", stdin=stdin))


def off_branches(
    git: Repository, commits: Collection[Oid], tips: Iterable[str] = _ALL_TIPS
) -> list[Oid]:
    """Return those that no tip leads to: no branch, remote-tracking branch or tag."""
    if not commits:
        return []
    with git.translated("a commit"):
        output = git.output("rev-list", *commits, "--not", *tips)
        unreachable = set(output.decode().split())
        return [commit for commit in commits if commit in unreachable]


def uncommitted_patches(
    git: Repository, paths: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield each file with its patch from HEAD, "" where it has none.

    An untracked file is new; one that git ignores has no patch.
    """
    if git.work_tree is None:
        return
    with git.translated("the work tree"):
        head = (
            git.head().commit or GitObject(ObjectType.TREE, b"", git.object_format).oid
        )
        for batch in askable(paths):
            new = set(map(text, fields(git.output(*_UNTRACKED, *batch))))
            for path in batch:
                yield path, _patch(git, path, None if path in new else head)


def _patch(git: Repository, path: str, base: Oid | None) -> str:
    """Return the patch of a file from a commit or tree, or as a new one."""
    compared = ["--no-index", "--", "/dev/null"] if base is None else [base, "--"]
    try:
        return text(git.output(*DIFF, *compared, path))
    except RefusedError as error:
        if error.status == 1:  # without an index: there are differences
            return text(error.output)
        raise
