"""A remote repository, by way of the git command.

So credential helpers, ssh's configuration, proxies and `insteadOf` work as they do for
`git fetch` and `git push`, and nothing of the user's is touched: no FETCH_HEAD, no
tags, no refspec of theirs, no maintenance.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gitmem.store.exchange.network import Command, Said, run, unheard, without_secrets
from gitmem.store.exchange.refusals import refused, too_slow, unreachable
from gitmem.store.exchange.remote_access import REMOTE, Access, access_to, environment
from gitmem.store.git.command import options_to
from gitmem.store.git.own_packs import fetching
from gitmem.store.git.repository import Repository
from gitmem.store.git.values import Oid

Told = Callable[[str], None]
"""Is given what git says of its progress, a line at a time."""

TRACKING = "refs/ocm/remotes/"
"""Below it are the tracking refs, of each remote in a folder with its name."""


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
        return f"{TRACKING}{self.name}/{ref.removeprefix('refs/ocm/')}"


@dataclass(frozen=True, slots=True)
class Line:
    """How a remote is talked to."""

    variables: Mapping[str, str]
    """The user's environment."""
    patience: float
    """Seconds that one command may take, unless it may ask."""
    may_ask: bool = False
    """Whether a person is at a terminal: git may ask there for a password, and takes
    the time that it takes, as the person can end it."""
    told: Told = unheard


_NO_HOOKS = ("-c", "core.hooksPath=/dev/null")
"""Those here; those at the remote run. Nor do others when we move our refs."""
_FETCH = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "core.fsync=committed"),  # by default, git leaves out single objects
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
_MOST_TRIES = 3
"""Of a fetch beside other fetches."""
_NOT_THERE = "fatal: couldn't find remote ref "
_LEFT_OUT = re.compile(r"warning: rejected .* because shallow roots")
_LOCKED = re.compile(r"error: cannot lock ref 'refs/ocm/")
_FASTER = re.compile(
    r"\[rejected\] \((fetch first|non-fast-forward|stale info)"
    r"|cannot lock ref|failed to update ref|incorrect old value|invalid old id"
    r"|reference already exists|failed to lock"
)
"""What git here says, and what git, libgit2 and JGit say at the remote."""
_NO_RACE = re.compile(
    r"Permission denied|No space left|Disk quota|Read-only|cannot create '"
)


@dataclass(frozen=True, slots=True)
class _Way:
    """From a repository to a remote."""

    git: Repository
    place: str
    """What the remote is called in messages."""
    access: Access
    line: Line


def fetch(git: Repository, remote: Remote, line: Line) -> None:
    """Bring the tracking refs, and all they lead to, to where the remote has them.

    What the remote does not have stays as it was. Raises Unreachable, and Busy where
    another program keeps a tracking ref locked.
    """
    way = _way(git, remote.name, remote.location, line)
    with fetching(git, map(remote.tracking, remote.refs)):
        _bring(way, remote)


def push(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: Line
) -> bool:
    """Move refs at the remote forward to these commits, by the names of our refs.

    The tracking refs follow. False where somebody was faster: then fetch. Raises
    Unreachable where the remote does not answer, or refuses.
    """
    return _pushed(_way(git, remote.name, remote.location, line), remote, commits, [])


def replace(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, tuple[Oid, Oid]],
    line: Line,
) -> bool:
    """Put each ref at the remote to another history, (old, new), if it is still old."""
    way = _way(git, remote.name, remote.location, line)
    leases = [
        f"--force-with-lease={remote.refs[ref]}:{old}"
        for ref, (old, _) in commits.items()
    ]
    return _pushed(way, remote, {ref: new for ref, (_, new) in commits.items()}, leases)


def refs_at(
    git: Repository, location: str, names: list[str], line: Line
) -> Mapping[str, Oid]:
    """Where refs are at a remote, by their names there; as `git ls-remote`."""
    return _refs_at(_way(git, without_secrets(location), location, line), names)


def _way(git: Repository, place: str, location: str, line: Line) -> _Way:
    return _Way(git, place, access_to(git, location, line.variables), line)


def _bring(way: _Way, remote: Remote) -> None:
    refs = dict(remote.refs)
    while refs:
        said = _fetched(way, remote, list(refs))
        if said.status == 0 and not any(map(_LEFT_OUT.search, said.lines)):
            return
        lacked = {each.removeprefix(_NOT_THERE) for each in said.lines}
        if lacked.isdisjoint(refs.values()):
            raise unreachable(way.place, said.lines)
        refs = {ref: name for ref, name in refs.items() if name not in lacked}


def _fetched(way: _Way, remote: Remote, refs: list[str]) -> Said:
    """With all objects; those of a partial clone may lack some at first.

    A plain `git fetch` leaves blobs out there, and the next one believes that they are
    here. So theirs are no commits that the remote may build on.
    """
    wanted = [f"+{remote.refs[ref]}:{remote.tracking(ref)}" for ref in refs]
    tracking = [remote.tracking(ref) for ref in refs]
    known = _present(way.git, _OURS)
    if not way.access.is_partial:
        return _fetch(way, [*known, *_present(way.git, tracking)], [], wanted)
    said = _fetch(way, known, [], wanted)
    if said.status == 0 and _lacks(way, _present(way.git, tracking), known):
        return _fetch(way, known, ["--refetch"], wanted)
    return said


def _present(git: Repository, refs: Iterable[str]) -> list[str]:
    return [ref for ref in refs if git.resolve_ref(ref)]


def _fetch(way: _Way, known: list[str], how: list[str], wanted: list[str]) -> Said:
    """Other fetches may move the refs at the same time; then again.

    The remote may conclude from refs of ours alone what is here.
    """
    tips = [f"--negotiation-tip={ref}" for ref in known]
    nothing = [] if known else ["-c", "fetch.negotiationAlgorithm=noop"]
    command = [*nothing, *_FETCH, *how, *tips, "--", REMOTE, *wanted]
    said = _talk(way, command)
    for _ in range(_MOST_TRIES - 1):
        if said.status == 0 or not any(map(_LOCKED.match, said.lines)):
            break
        _free(way.git, [each.rpartition(":")[2] for each in wanted])
        said = _talk(way, command)
    return said


def _free(git: Repository, refs: list[str]) -> None:
    """Moved to where they are, they lose the locks of those who were killed."""
    for ref in refs:
        if commit := git.resolve_ref(ref):
            git.update_ref(ref, commit, commit, "ocm: unlocked")


def _lacks(way: _Way, tips: list[str], whole: list[str]) -> bool:
    """Whether objects are missing that these refs lead to, and whole ones do not."""
    command = ["rev-list", "--objects", "--missing=print", "--quiet", *tips]
    said = _talk(way, [*command, "--not", *whole])
    return said.status != 0 or bool(said.output)


def _refs_at(way: _Way, names: list[str]) -> Mapping[str, Oid]:
    said = _talk(way, ["ls-remote", "--quiet", "--", REMOTE, *names])
    if said.status != 0:
        raise unreachable(way.place, said.lines)
    lines = (each.partition("\t") for each in said.output.decode().splitlines())
    return {name: oid for oid, _, name in lines if name in names}


class _Result(NamedTuple):
    """What the remote did with one ref, as `git push --porcelain` tells."""

    flag: str
    ref: str
    """At the remote."""
    reason: str

    @property
    def is_rejected(self) -> bool:
        return self.flag == "!"


def _pushed(
    way: _Way, remote: Remote, commits: Mapping[str, Oid], leases: list[str]
) -> bool:
    if not commits:
        return True  # without a refspec git would push a branch
    before = {ref: way.git.resolve_ref(remote.tracking(ref)) for ref in commits}
    moves = [f"{commit}:{remote.refs[ref]}" for ref, commit in commits.items()]
    said = _talk(way, [*_PUSH, *leases, "--", REMOTE, *moves])
    results = {each.ref: each for each in _results(said)}
    for ref, commit in commits.items():
        result = results.get(remote.refs[ref])
        if result and not result.is_rejected:
            # Lost only to a fetch meanwhile; the next one corrects what it saw.
            way.git.update_ref(remote.tracking(ref), before[ref], commit, "ocm: pushed")
    rejected = [each for each in results.values() if each.is_rejected]
    for each in rejected:
        if not _is_lost(each, said):
            reason = without_secrets(each.reason)
            raise refused(way.place, each.ref, reason, said.lines)
    if said.status != 0 and not rejected:
        raise unreachable(way.place, said.lines)
    return not rejected


def _results(said: Said) -> Iterator[_Result]:
    for text in said.output.decode("utf-8", "replace").splitlines():
        flag, _, rest = text.partition("\t")
        move, found, reason = rest.partition("\t")
        if found:
            yield _Result(flag, move.rpartition(":")[2], reason)


def _is_lost(result: _Result, said: Said) -> bool:
    """Whether it was refused because somebody else moved the ref meanwhile."""
    return bool(_FASTER.search(result.reason)) and not any(
        map(_NO_RACE.search, (result.reason, *said.lines))
    )


def _talk(way: _Way, arguments: list[str]) -> Said:
    """Raises Unreachable where it takes too long."""
    git, line = way.git, way.line
    where = options_to(git.git_dir, git.work_tree)
    said = run(
        Command(
            [*where, *_NO_HOOKS, *arguments],
            git.work_tree or git.git_dir,
            environment(way.access, line.variables, may_ask=line.may_ask),
            None if line.may_ask else line.patience,
            line.told,
        )
    )
    if said.status is None:
        raise too_slow(way.place, line.patience)
    return said
