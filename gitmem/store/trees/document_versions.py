"""Every text that a history ever had, for whoever looks at all of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.errors import Damaged
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, is_oid


def versions(
    git: Repository,
    tips: Iterable[Oid],
    kind: Kind[Any],
    variables: Mapping[str, str],
    beside: Iterable[Oid] = (),
) -> Iterator[tuple[str, Oid]]:
    """Ids of documents and blobs, each blob once, of all commits that lead to `tips`.

    The newest come first, and those that lead to `beside` as well are left out.
    `variables` are the environment of the user. Raises Damaged where an object is not
    there, and Unavailable without git.
    """
    for path, oid in _objects(git, tips, variables, beside):
        stem = path.rpartition("/")[2].removesuffix(".md")
        if kind.is_id(stem) and path == kind.path(stem):
            yield stem, oid


def note_versions(
    git: Repository, commit: Oid, variables: Mapping[str, str]
) -> Iterator[Oid]:
    """The blobs of all notes that lead to a commit of theirs; raises the same."""
    for path, oid in _objects(git, [commit], variables):
        if is_oid(path.replace("/", "")):
            yield oid


def who_added(
    git: Repository, commit: Oid, path: str, variables: Mapping[str, str]
) -> str:
    """Who put the file at `path` into the trees of a history, as its commit says.

    `Name <address>`, which anybody can write; "" where git does not know.
    """
    listing = ["log", "-1", "--diff-filter=A", "--format=%an <%ae>", commit]
    try:
        with output_of_git(
            git.git_dir, git.work_tree, [*listing, "--", path], variables
        ) as lines:
            return next(iter(lines), b"").decode("utf-8", "replace").rstrip("\n")
    except RefusedError:
        return ""


def _objects(
    git: Repository,
    tips: Iterable[Oid],
    variables: Mapping[str, str],
    beside: Iterable[Oid] = (),
) -> Iterator[tuple[str, Oid]]:
    """Paths and names of everything that leads to commits, each object once."""
    named = "".join([*(f"{tip}\n" for tip in tips), *(f"^{tip}\n" for tip in beside)])
    listing = ["rev-list", "--objects", "--stdin"]
    where = git.git_dir, git.work_tree
    try:
        with output_of_git(*where, listing, variables, named.encode()) as lines:
            for line in lines:
                oid, _, path = line.decode("utf-8", "replace")[:-1].partition(" ")
                yield path, oid
    except RefusedError as error:
        raise Damaged(f"Git cannot list what the memory ever had: {error}") from error
