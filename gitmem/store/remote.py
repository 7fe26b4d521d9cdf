"""A remote repository, by way of the git command.

So credential helpers, ssh's configuration, proxies and `insteadOf` work as they do for
`git fetch` and `git push`, and nothing of the user's is touched: no FETCH_HEAD, no
tags, no refspec of theirs, no maintenance.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gitmem.store.git_network import Command, Said, run, without_secrets
from gitmem.store.refusals import refused, too_slow, unreachable
from gitmem.store.remote_access import REMOTE, access_to, environment
from gitmem.store.repository import Oid, Repository

Told = Callable[[str], None]
"""Is given what git says of its progress, a line at a time."""


@dataclass(frozen=True, slots=True)
class Remote:
    name: str
    """Ours, for the tracking refs: that of git's remote, where it is one."""
    location: str
    """What git is given: the name of a remote, or a URL."""
    refs: Mapping[str, str]
    """Where each ref of ours is at the remote."""

    def tracking(self, ref: str) -> str:
        """`refs/ocm/remotes/<name>/sessions` for `refs/ocm/sessions`."""
        return f"refs/ocm/remotes/{self.name}/{ref.removeprefix('refs/ocm/')}"


@dataclass(frozen=True, slots=True)
class Line:
    """How a remote is talked to."""

    variables: Mapping[str, str]
    """The user's environment."""
    patience: float
    """Seconds that one command may take."""
    may_ask: bool
    """Whether there is a terminal at which git may ask for a password."""
    told: Told


_FETCH = (
    *("-c", "fetch.fsckObjects=true"),
    *("fetch", "--progress", "--no-auto-maintenance", "--no-write-fetch-head"),
    *("--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"),
    *("--refmap=", "--no-write-commit-graph"),
)
_PUSH = (
    *("-c", "push.pushOption=", "-c", "push.negotiate=false"),
    *("push", "--progress", "--porcelain", "--no-verify", "--no-signed"),
    *("--no-follow-tags", "--no-recurse-submodules"),
)
_OURS = ("refs/ocm/sessions", "refs/ocm/conversations")
_NOT_THERE = re.compile(r"fatal: couldn't find remote ref (.+)")
_FASTER = re.compile(
    r"fetch first|non-fast-forward|stale info|cannot lock ref|failed to update ref"
    r"|incorrect old value|reference already exists|failed to lock|non-fast forward"
)
_NO_RACE = re.compile(
    r"Permission denied|No space left|Disk quota|Read-only|cannot create '"
)


def fetch(git: Repository, remote: Remote, line: Line) -> None:
    """Bring the tracking refs to where the refs are at the remote.

    What the remote does not have stays as it was. Raises Unreachable.
    """
    said = _fetched(git, remote, list(remote.refs), line)
    if any(map(_NOT_THERE.match, said.lines)):
        there = refs_at(git, remote.location, list(remote.refs.values()), line)
        if known := [ref for ref, name in remote.refs.items() if name in there]:
            said = _fetched(git, remote, known, line)
        else:
            return
    if said.status != 0:
        raise unreachable(remote.name, said.lines)


def push(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: Line
) -> bool:
    """Move refs at the remote forward to these commits, by the names of our refs.

    The tracking refs follow. False where somebody was faster: then fetch. Raises
    Unreachable where the remote does not answer, or refuses.
    """
    return _push(git, remote, commits, [], line)


def replace(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, tuple[Oid, Oid]],
    line: Line,
) -> bool:
    """Put each ref at the remote to another history, (old, new), if it is still old."""
    leases = [
        f"--force-with-lease={remote.refs[ref]}:{old}"
        for ref, (old, _) in commits.items()
    ]
    moves = {ref: new for ref, (_, new) in commits.items()}
    return _push(git, remote, moves, leases, line)


def refs_at(
    git: Repository, location: str, names: list[str], line: Line
) -> Mapping[str, Oid]:
    """Where refs are at a remote, by their names there; as `git ls-remote`."""
    said = _talk(git, location, ["ls-remote", "--quiet", "--", REMOTE, *names], line)
    if said.status != 0:
        raise unreachable(without_secrets(location), said.lines)
    lines = (each.partition("\t") for each in said.output.decode().splitlines())
    return {name: oid for oid, _, name in lines if name in names}


def _fetched(git: Repository, remote: Remote, refs: list[str], line: Line) -> Said:
    wanted = [f"+{remote.refs[ref]}:{remote.tracking(ref)}" for ref in refs]
    tips = [f"--negotiation-tip={ref}" for ref in _known(git, remote)]
    return _talk(git, remote.location, [*_FETCH, *tips, "--", REMOTE, *wanted], line)


def _known(git: Repository, remote: Remote) -> Iterator[str]:
    """Refs from which the remote may conclude what we have: ours alone."""
    for ref in (*_OURS, *map(remote.tracking, remote.refs)):
        if git.resolve_ref(ref):
            yield ref


class _Result(NamedTuple):
    """What the remote did with one ref, as `git push --porcelain` tells."""

    flag: str
    ref: str
    """At the remote."""
    reason: str


def _push(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, Oid],
    leases: list[str],
    line: Line,
) -> bool:
    before = {ref: git.resolve_ref(remote.tracking(ref)) for ref in commits}
    moves = [f"{commit}:{remote.refs[ref]}" for ref, commit in commits.items()]
    command = [*_PUSH, *leases, "--", REMOTE, *moves]
    said = _talk(git, remote.location, command, line)
    results = {each.ref: each for each in _results(said)}
    for ref, commit in commits.items():
        result = results.get(remote.refs[ref])
        if result and result.flag != "!":
            # Lost only to a fetch that went on meanwhile, which knows as much.
            git.update_ref(remote.tracking(ref), before[ref], commit, "ocm: pushed")
    rejected = [each for each in results.values() if each.flag == "!"]
    for each in rejected:
        if not _lost(each, said):
            raise refused(remote.name, each.ref, each.reason, said.lines)
    if said.status != 0 and not rejected:
        raise unreachable(remote.name, said.lines)
    return not rejected


def _results(said: Said) -> Iterator[_Result]:
    for text in said.output.decode("utf-8", "replace").splitlines():
        flag, _, rest = text.partition("\t")
        move, found, reason = rest.partition("\t")
        if found:
            yield _Result(flag, move.rpartition(":")[2], without_secrets(reason))


def _lost(result: _Result, said: Said) -> bool:
    """Whether it was refused because somebody else moved the ref meanwhile."""
    return bool(_FASTER.search(result.reason)) and not any(
        map(_NO_RACE.search, (result.reason, *said.lines))
    )


def _talk(git: Repository, location: str, arguments: list[str], line: Line) -> Said:
    """Raises Unreachable where it takes too long."""
    access = access_to(git, location, line.variables)
    where = [f"--git-dir={git.git_dir}"]
    where += [f"--work-tree={git.work_tree}"] if git.work_tree else []
    said = run(
        Command(
            [*where, *arguments],
            git.work_tree or git.git_dir,
            environment(access, line.variables, may_ask=line.may_ask),
            line.patience,
            alone=not line.may_ask,
            told=line.told,
        )
    )
    if said.status is None:
        raise too_slow(without_secrets(location), line.patience)
    return said
