"""Where a ref of ours may have been, and which of these commits is whole."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from gitmem.errors import Damaged, FormatTooNew
from gitmem.git.missing_objects import all_commits
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.remote import TRACKING
from gitmem.store.trees.day_tree import FORMAT_FILE, DayTree
from gitmem.workspace import Workspace

_MOST = 1000
"""Commits that are looked at, of each of the ways to find some."""


@dataclass(frozen=True, slots=True)
class States:
    """Commits that a ref was at, the newest first."""

    readable: tuple[Oid, ...]
    """Those that git can read itself, whatever is missing behind them."""
    chains: tuple[tuple[Oid, ...], ...]
    """Commits each of which leads to the next one: what is whole stays so."""


def states_of(workspace: Workspace, kind: type[DayTree], tip: Oid | None) -> States:
    """By its reflog and its commits; where these tell nothing, by whatever does."""
    git = workspace.repository
    moves = git.reflog(kind.ref)[: -_MOST - 1 : -1]
    own = _readable(git, kind, [*([tip] if tip else []), *moves])
    if not own:
        return _others(workspace, kind)
    parents = _first_parents(git, own[0])
    states = tuple(dict.fromkeys([*own, *_readable(git, kind, parents)]))
    return States(states, (parents, own))


def without_gaps(states: States, is_whole: Callable[[Oid], bool]) -> Oid | None:
    """The newest that is whole; None where none is."""
    for chain in states.chains:
        numbers = range(len(chain))
        at = bisect_left(numbers, x=True, key=lambda n: is_whole(chain[n]))
        if at < len(chain):
            return chain[at]
    return None


def is_of_kind(git: Repository, kind: type[DayTree], commit: Oid) -> bool:
    """Whether a commit can be read and is one of ours: any may be named by a ref."""
    with suppress(Damaged, FormatTooNew):
        return {FORMAT_FILE, kind.root} <= kind(git, commit).folder("").keys()
    return False


def _others(workspace: Workspace, kind: type[DayTree]) -> States:
    """What the remote had, else what nothing names any more: the newest alone."""
    git, variables = workspace.repository, workspace.environment.variables
    name = kind.ref.rpartition("/")[2]
    tracking = [ref for ref in git.refs(TRACKING) if ref.endswith(f"/{name}")]
    tips = [tip for ref in tracking if (tip := git.resolve_ref(ref))]
    found = _readable(git, kind, tips)
    if not found:
        found = _readable(git, kind, all_commits(git, variables))
    newest = tuple(_newest(git, found))
    return States(newest, (newest,))


def _newest(git: Repository, commits: Sequence[Oid]) -> Iterator[Oid]:
    """Of several of one second, the one that no other was built on."""
    last = max(map(git.committed_at, commits), default=None)
    tied = [each for each in commits if git.committed_at(each) == last]
    parents = {one.oid for each in tied for one in git.first_parents(each, 2)[1:]}
    yield from [each for each in tied if each not in parents][:1]


def _readable(
    git: Repository, kind: type[DayTree], commits: Iterable[Oid]
) -> tuple[Oid, ...]:
    unique = dict.fromkeys(commits)
    return tuple(commit for commit in unique if is_of_kind(git, kind, commit))


def _first_parents(git: Repository, commit: Oid) -> tuple[Oid, ...]:
    with suppress(Damaged):
        return tuple(each.oid for each in git.first_parents(commit, _MOST))
    return ()
