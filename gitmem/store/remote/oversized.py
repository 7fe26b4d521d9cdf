"""What is too large to be sent: nobody could read it there, or the host refuses it.

gitmem writes nothing of that size; people do, by hand, and other programs. A document
that no gitmem reads would be gone after the next merge of another clone, and a host
that refuses a file refuses every history with it, for ever.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from gitmem.errors import InvalidInput
from gitmem.git.command import RefusedError, output_of_git
from gitmem.git.missing_objects import paths_of
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.merge_result import Taken
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.kinds import KINDS
from gitmem.text.counting import listed

MOST_AT_HOSTS = 100_000_000
"""Bytes of one file, in whatever commit; the largest hosts take no more."""

_NAMED = 3
_PATIENCE = 600.0
"""Seconds; git looks at 3,000 states of sessions in a tenth of one."""


def refuse_oversized(
    git: Repository, leaving: Iterable[Taken], variables: Mapping[str, str]
) -> None:
    """Raises InvalidInput where a remote would be sent what is too large.

    What it has already is not looked at. `variables` are the user's environment.
    """
    kinds = {kind.ref: kind for kind in KINDS}
    for one in leaving:
        kind = kinds[one.ref]
        if large := _large(git, one, kind.most_bytes, variables):
            _refuse_unread(kind(git, one.sent), large)
            _refuse_earlier(git, one, large, variables)


def _large(
    git: Repository, one: Taken, most: int, variables: Mapping[str, str]
) -> frozenset[Oid]:
    """Of its blobs that the remote lacks those of more bytes; no blob is read.

    None where git cannot walk there: the push says what is missing.
    """
    how = ["--objects", "--quiet", "--missing=allow-any", "--filter-print-omitted"]
    limit = f"--filter=blob:limit={most + 1}"
    known = [f"^{one.theirs}"] if one.theirs else []
    walk = ["rev-list", *how, limit, str(one.sent), *known, "--"]
    try:
        with output_of_git(
            git.git_dir, git.work_tree, walk, variables, patience=_PATIENCE
        ) as lines:
            return frozenset(line.decode().strip().lstrip("~") for line in lines)
    except RefusedError:
        return frozenset()


def _refuse_unread(tree: DayTree, large: Collection[Oid]) -> None:
    if ids := [*_texts_among(tree, large)]:
        raise InvalidInput(
            f"Nothing was sent: no gitmem reads a {tree.noun} of more than"
            f" {tree.most_bytes:,} bytes, as {listed(ids, _NAMED)} has here.",
            hint=f"Shorten it by a commit on {tree.ref}; then the memory can be sent.",
        )


def _texts_among(tree: DayTree, blobs: Collection[Oid]) -> Iterator[str]:
    for session_id in tree.ids():
        file = tree.entry(session_id)
        if file and file.oid in blobs:
            yield session_id


def _refuse_earlier(
    git: Repository, one: Taken, large: Iterable[Oid], variables: Mapping[str, str]
) -> None:
    """What readers do not see may be as large as hosts take it."""
    refused = [oid for oid in large if git.blob_size(oid) > MOST_AT_HOSTS]
    if refused and one.sent:
        paths = paths_of(git, one.sent, refused, variables)
        names = sorted({PurePosixPath(path).stem for path in paths})
        raise InvalidInput(
            f"Nothing was sent: {one.ref} has, or once had, a file of more than"
            f" {MOST_AT_HOSTS:,} bytes, which hosts refuse for ever:"
            f" {listed(names, _NAMED)}.",
            hint="`ocm forget --history` takes a session out of all commits.",
        )
