"""Where a ref of ours may have been."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.damage import all_commits
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.remote import TRACKING
from gitmem.store.trees.document_tree import FORMAT_FILE, DocumentTree
from gitmem.workspace import Workspace

_MOST = 1000
"""Commits that are looked at, of each of the ways to find some."""

Commits = tuple[Oid, ...]


def states_of(
    workspace: Workspace, kind: Kind[Any], tip: Oid | None
) -> tuple[Commits, Commits]:
    """Return the commits that can be read, the newest first, and a chain of them.

    In the chain each leads to the next, as far as that is known. They are found by the
    reflog and the first parents; without these by tracking refs, or among all commits.
    """
    git = workspace.repository
    moves = git.reflog(kind.ref)[: -_MOST - 1 : -1]
    own = _readable(git, kind, [*([tip] if tip else []), *moves])
    if not own:
        newest = _newest(git, _others(workspace, kind))
        return newest, newest
    parents = _first_parents(git, own[0])
    states = dict.fromkeys([*own, *_readable(git, kind, parents)])
    return tuple(states), parents or own


def is_of_kind(git: Repository, kind: Kind[Any], commit: Oid) -> bool:
    """Whether a commit can be read and is one of ours: any may be named by a ref."""
    with suppress(Damaged, FormatTooNew):
        found = DocumentTree(kind, git, commit).folder("")
        return {FORMAT_FILE, kind.root} <= found.keys()
    return False


def _others(workspace: Workspace, kind: Kind[Any]) -> Commits:
    """What the remote had, else what nothing names any more."""
    git, suffix = workspace.repository, f"/{kind.ref.rpartition('/')[2]}"
    names = (each for each in git.refs(TRACKING) if each.endswith(suffix))
    found = _readable(git, kind, filter(None, map(git.resolve_ref, names)))
    every = all_commits(git, workspace.environment.variables) if not found else ()
    return found or _readable(git, kind, every)


def _newest(git: Repository, commits: Sequence[Oid]) -> Commits:
    """Of several of one second, the one that no other was built on."""
    last = max(map(git.committed_at, commits), default=None)
    tied = [each for each in commits if git.committed_at(each) == last]
    parents = {one.oid for each in tied for one in git.first_parents(each, 2)[1:]}
    return tuple(each for each in tied if each not in parents)[:1]


def _readable(git: Repository, kind: Kind[Any], commits: Iterable[Oid]) -> Commits:
    unique = dict.fromkeys(commits)
    return tuple(commit for commit in unique if is_of_kind(git, kind, commit))


def _first_parents(git: Repository, commit: Oid) -> Commits:
    with suppress(Damaged):
        return tuple(each.oid for each in git.first_parents(commit, _MOST))
    return ()
