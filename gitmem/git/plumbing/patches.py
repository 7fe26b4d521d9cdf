"""Patches, as git writes them: of commits, and of what is in none."""

from collections.abc import Collection, Iterable, Iterator

from gitmem.git.command import RefusedError
from gitmem.git.odb.objects import GitObject, ObjectType
from gitmem.git.plumbing.process import askable, fields, text
from gitmem.git.plumbing.work_tree import DIFF, WorkTree
from gitmem.git.values import Oid

_COLOR = ("config", "--get-colorbool", "color.diff", "true")
_UNKNOWN = ("--not", "--branches", "--remotes", "--tags")
_UNTRACKED = ("ls-files", "--others", "--exclude-standard", "-z", "--")


def commit_patches(
    git: WorkTree, commits: Collection[Oid], paths: Iterable[str], *, is_colored: bool
) -> str:
    """Return what `git show` says of commits, as far as it is about `paths`.

    About all files where `paths` has none. Colored only as the user has it set.
    """
    if not commits:
        return ""
    wanted = [path for some in askable(paths) for path in some if "\n" not in path]
    given = "\n".join([*commits, "--", *wanted, ""]).encode(errors="surrogateescape")
    with git.translated("a commit"):
        color = is_colored and git.output(*_COLOR) == b"true\n"
        how = "--color=always" if color else "--color=never"
        return text(git.output("show", how, "--stdin", given=given))


def off_branches(git: WorkTree, commits: Collection[Oid]) -> list[Oid]:
    """Return those that no branch, remote-tracking branch or tag leads to."""
    if not commits:
        return []
    with git.translated("a commit"):
        found = set(git.output("rev-list", *commits, *_UNKNOWN).decode().split())
        return [each for each in commits if each in found]


def uncommitted_patches(
    git: WorkTree, paths: Iterable[str]
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
        for some in askable(paths):
            new = set(map(text, fields(git.output(*_UNTRACKED, *some))))
            for path in some:
                yield path, _patch(git, path, None if path in new else head)


def _patch(git: WorkTree, path: str, base: Oid | None) -> str:
    """Return the patch of a file from a commit or tree, or as a new one."""
    compared = ["--no-index", "--", "/dev/null"] if base is None else [base, "--"]
    try:
        return text(git.output(*DIFF, *compared, path))
    except RefusedError as error:
        if error.status == 1:  # without an index: there are differences
            return text(error.output)
        raise
