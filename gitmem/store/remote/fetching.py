"""Fetch our refs from a remote, into the tracking refs.

FETCH_HEAD, tags and the user's refspecs stay untouched, and no maintenance runs.
"""

from collections.abc import Iterable, Mapping

from gitmem.documents.kinds import refs as all_refs
from gitmem.git.packing import fetching
from gitmem.git.repository import Repository
from gitmem.store.remote.explain_errors import unreachable
from gitmem.store.remote.git_transport import (
    OUR_REMOTE,
    RemoteAccess,
    access_to,
    run_git,
)
from gitmem.store.remote.remote import Remote, TransportOptions
from gitmem.store.remote.watched_git import GitResult
from gitmem.text.patterns import pattern

_FETCH = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "core.fsync=committed"),  # by default, git leaves out single objects
    *("fetch", "--progress", "--no-auto-maintenance", "--no-write-fetch-head"),
    *("--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"),
    *("--refmap=", "--no-write-commit-graph"),
)
_REFETCH = "--refetch"
_MOST_TRIES = 3
"""Tries of a fetch beside other fetches."""
_NOT_THERE = "fatal: couldn't find remote ref "
_LEFT_OUT = pattern(r"warning: rejected .* because shallow roots")
_DAMAGED = pattern(r"error: object [0-9a-f]+: |fatal: fsck error|error: .*fsck")
_LOCKED = pattern(r"error: cannot lock ref 'refs/ocm/")
_PACKED_LOCKED = pattern(r"error: could not delete reference.*packed-refs\.lock'")


def fetch(
    git: Repository,
    remote: Remote,
    line: TransportOptions,
    *,
    with_inboxes: bool = True,
    from_nothing: bool = False,
) -> None:
    """Fetch into the tracking refs, with all objects; delete those gone at the remote.

    What waits there for a ref comes, too, unless `with_inboxes` is off, as in a race.
    With `from_nothing` objects come that should be here, and cannot be read. Raises
    Unreachable, and Busy where another program keeps a tracking ref locked.
    """
    access = access_to(git, remote.name, remote.location, line)
    refs, inboxes = dict(remote.refs), remote.inboxes if with_inboxes else []
    with fetching(git):
        while refs:
            result = _fetched(access, remote, refs, inboxes, from_nothing=from_nothing)
            if result.status == 0 and not any(map(_LEFT_OUT.search, result.lines)):
                return
            lacked = {
                output_line.removeprefix(_NOT_THERE) for output_line in result.lines
            }
            if inboxes and any(map(_DAMAGED.match, result.lines)):
                inboxes = []  # nobody's may keep the ref from everybody
                continue
            if lacked.isdisjoint(refs.values()):
                raise unreachable(access.place, result.lines)
            for ref in [ref for ref, name in refs.items() if name in lacked]:
                if (tracking := remote.tracking(ref)) in git.refs(tracking):
                    git.delete_ref(tracking)
                del refs[ref]


def _fetched(
    access: RemoteAccess,
    remote: Remote,
    refs: Mapping[str, str],
    inboxes: list[str],
    *,
    from_nothing: bool,
) -> GitResult:
    """Fetch with all objects, in a partial clone as well.

    There a plain `git fetch` leaves blobs out, and the next one believes that they are
    here. So the negotiation names our own refs alone.
    """
    refspecs = [f"+{name}:{remote.tracking(ref)}" for ref, name in refs.items()]
    options, refspecs = ["--prune"] if inboxes else [], [*refspecs, *inboxes]
    present_refs = _present(access.git, all_refs())
    tracking = [remote.tracking(ref) for ref in refs]
    if from_nothing:
        return _fetch(access, [], [*options, _REFETCH], refspecs)
    if not access.git.is_partial:
        return _fetch(
            access, [*present_refs, *_present(access.git, tracking)], options, refspecs
        )
    result = _fetch(access, present_refs, options, refspecs)
    if result.status == 0:
        tips = [*_present(access.git, tracking), "--not", *present_refs]
        walk = ["rev-list", "--objects", "--missing=print", "--quiet", *tips]
        lacking = run_git(access, walk)
        if lacking.status != 0 or lacking.output:
            return _fetch(access, present_refs, [*options, _REFETCH], refspecs)
    return result


def _present(git: Repository, refs: Iterable[str]) -> list[str]:
    return [ref for ref in refs if git.resolve_ref(ref)]


def _fetch(
    access: RemoteAccess,
    present_refs: list[str],
    options: list[str],
    refspecs: list[str],
) -> GitResult:
    """Fetch, again where another fetch holds the lock of a ref.

    Updating a ref to where it is, or deleting none, removes the lock of a process that
    was killed. The lock of all packed refs is the user's as well, and stays: what is
    gone at the remote is deleted another time.
    """
    tips = [f"--negotiation-tip={ref}" for ref in present_refs]
    nothing = [] if present_refs else ["-c", "fetch.negotiationAlgorithm=noop"]
    command = [*nothing, *_FETCH, *options, *tips, "--", OUR_REMOTE, *refspecs]
    result = run_git(access, command)
    if any(map(_PACKED_LOCKED.match, result.lines)):
        return _fetch(
            access,
            present_refs,
            [option for option in options if option != "--prune"],
            refspecs,
        )
    for _ in range(_MOST_TRIES - 1):
        if result.status == 0 or not any(map(_LOCKED.match, result.lines)):
            break
        names = [
            refspec.rpartition(":")[2]
            for refspec in refspecs
            if not refspec.endswith("*")
        ]
        for ref in names:
            if commit := access.git.resolve_ref(ref):
                access.git.update_ref(ref, commit, commit, "ocm: unlocked")
            else:
                access.git.delete_ref(ref)
        result = run_git(access, command)
    return result
