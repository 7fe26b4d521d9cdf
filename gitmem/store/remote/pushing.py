"""Pushing our refs to a remote: forward alone, or another history by a lease.

Nothing of the user's goes along: no branch, no tag, no option of theirs.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from gitmem.errors import Unreachable
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.explain_errors import refused, unreachable
from gitmem.store.remote.git_transport import Way, talk, way_to
from gitmem.store.remote.remote import Line, Remote
from gitmem.store.remote.remote_access import OUR_REMOTE
from gitmem.store.remote.watched_git import Said, without_secrets
from gitmem.text.patterns import pattern

_PUSH = (
    *("-c", "push.pushOption=", "-c", "push.negotiate=false"),
    *("push", "--progress", "--porcelain", "--no-verify", "--no-signed"),
    *("--no-follow-tags", "--no-recurse-submodules"),
)
_FASTER = pattern(
    r"\[rejected\] \((fetch first|non-fast-forward|stale info)"
    r"|cannot lock ref|failed to update ref|incorrect old value|invalid old id"
    r"|reference already exists|failed to lock"
)
"""What git here says, and what git, libgit2 and JGit say at the remote."""
_NO_RACE = pattern(
    r"Permission denied|No space left|Disk quota|Read-only|cannot create '"
    r"|couldn't write '"
)


def push(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: Line
) -> bool:
    """Move refs at the remote forward to these commits, by the names of our refs.

    The tracking refs follow. False where somebody was faster: then fetch. Raises
    Unreachable where the remote does not answer, or refuses.
    """
    return _pushed(way_to(git, remote.name, remote.location, line), remote, commits, [])


def replace(
    git: Repository,
    remote: Remote,
    commits: Mapping[str, tuple[Oid, Oid]],
    line: Line,
) -> bool:
    """Put each ref at the remote to another history, (old, new), if it is still old."""
    way = way_to(git, remote.name, remote.location, line)
    leases = [
        f"--force-with-lease={remote.refs[ref]}:{old}"
        for ref, (old, _) in commits.items()
    ]
    return _pushed(way, remote, {ref: new for ref, (_, new) in commits.items()}, leases)


def leave_waiting(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: Line
) -> bool:
    """Put commits for our refs into refs of their own there, which are new.

    False where the remote takes no such refs. Raises Unreachable where it takes too
    long.
    """
    if not all(map(remote.inbox, commits)):
        return False
    way = way_to(git, remote.name, remote.location, line)
    moves = [f"{oid}:{remote.inbox(ref)}{oid}" for ref, oid in commits.items()]
    if talk(way, [*_PUSH, "--", OUR_REMOTE, *moves]).status != 0:
        return False
    for ref, commit in commits.items():
        tracking = f"{remote.tracked_inbox(ref)}{commit}"
        git.update_ref(tracking, git.resolve_ref(tracking), commit, "ocm: pushed")
    return True


def delete_waiting(
    git: Repository, remote: Remote, commits: Mapping[str, Oid], line: Line
) -> set[str]:
    """Delete refs there, by their names, that lead to these commits.

    Gives those that the remote refuses to delete. Raises Unreachable where it takes too
    long.
    """
    if not commits:
        return set()
    way = way_to(git, remote.name, remote.location, line)
    leases = [f"--force-with-lease={name}:{oid}" for name, oid in commits.items()]
    gone = [f":{name}" for name in commits]
    said = talk(way, [*_PUSH, *leases, "--", OUR_REMOTE, *gone])
    results = [each for each in _results(said) if each.is_rejected]
    return {each.ref for each in results if not _is_lost(each, said)}


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
    way: Way, remote: Remote, commits: Mapping[str, Oid], leases: list[str]
) -> bool:
    if not commits:
        return True  # without a refspec git would push a branch
    before = {ref: way.git.resolve_ref(remote.tracking(ref)) for ref in commits}
    moves = [f"{commit}:{remote.refs[ref]}" for ref, commit in commits.items()]
    said = talk(way, [*_PUSH, *leases, "--", OUR_REMOTE, *moves])
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
    if said.status != 0 and not rejected and _is_bundle(way):
        raise Unreachable(
            f"{way.place} is a bundle, which takes no push.",
            hint="`ocm pull` takes what is in it.",
        )
    if said.status != 0 and not rejected:
        raise unreachable(way.place, said.lines)
    return not rejected


def _is_bundle(way: Way) -> bool:
    """Or another file, which git takes for one."""
    folder = way.git.work_tree or way.git.git_dir
    return Path(folder, way.access.push_url).is_file()


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
