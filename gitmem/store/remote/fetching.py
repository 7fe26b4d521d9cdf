"""Fetching our refs from a remote, into the tracking refs.

Nothing of the user's is touched: no FETCH_HEAD, no tags, no refspec of theirs, and
there is no maintenance.
"""

from collections.abc import Iterable

from gitmem.git.packs.managed_packs import fetching
from gitmem.git.repository import Repository
from gitmem.store.remote.explain_errors import unreachable
from gitmem.store.remote.git_transport import Way, talk, way_to
from gitmem.store.remote.remote import Line, Remote
from gitmem.store.remote.remote_access import OUR_REMOTE
from gitmem.store.remote.watched_git import Said
from gitmem.store.trees.kinds import REFS
from gitmem.text.patterns import pattern

_FETCH = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "core.fsync=committed"),  # by default, git leaves out single objects
    *("fetch", "--progress", "--no-auto-maintenance", "--no-write-fetch-head"),
    *("--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"),
    *("--refmap=", "--no-write-commit-graph"),
)
_MOST_TRIES = 3
"""Of a fetch beside other fetches."""
_NOT_THERE = "fatal: couldn't find remote ref "
_LEFT_OUT = pattern(r"warning: rejected .* because shallow roots")
_DAMAGED = pattern(r"error: object [0-9a-f]+: |fatal: fsck error|error: .*fsck")
_LOCKED = pattern(r"error: cannot lock ref 'refs/ocm/")


def fetch(
    git: Repository, remote: Remote, line: Line, *, with_inboxes: bool = True
) -> None:
    """Bring the tracking refs, and all they lead to, to where the remote has them.

    What the remote does not have goes. What waits there for a ref comes, too, unless
    somebody is in a race. Raises Unreachable, and Busy where another program keeps a
    tracking ref locked.
    """
    way = way_to(git, remote.name, remote.location, line)
    with fetching(git, map(remote.tracking, remote.refs)):
        _bring(way, remote, remote.inboxes if with_inboxes else [])


def _bring(way: Way, remote: Remote, inboxes: list[str]) -> None:
    refs = dict(remote.refs)
    while refs:
        said = _fetched(way, remote, list(refs), inboxes)
        if said.status == 0 and not any(map(_LEFT_OUT.search, said.lines)):
            return
        lacked = {each.removeprefix(_NOT_THERE) for each in said.lines}
        if inboxes and any(map(_DAMAGED.match, said.lines)):
            inboxes = []  # nobody's may keep the ref from everybody
            continue
        if lacked.isdisjoint(refs.values()):
            raise unreachable(way.place, said.lines)
        for ref in [ref for ref, name in refs.items() if name in lacked]:
            way.git.delete_ref(remote.tracking(ref))
            del refs[ref]


def _fetched(way: Way, remote: Remote, refs: list[str], inboxes: list[str]) -> Said:
    """With all objects; those of a partial clone may lack some at first.

    A plain `git fetch` leaves blobs out there, and the next one believes that they are
    here. So theirs are no commits that the remote may build on.
    """
    wanted = [f"+{remote.refs[ref]}:{remote.tracking(ref)}" for ref in refs]
    wanted += inboxes
    how = ["--prune"] if inboxes else []
    tracking = [remote.tracking(ref) for ref in refs]
    known = _present(way.git, REFS)
    if not way.access.is_partial:
        return _fetch(way, [*known, *_present(way.git, tracking)], how, wanted)
    said = _fetch(way, known, how, wanted)
    if said.status == 0 and _lacks(way, _present(way.git, tracking), known):
        return _fetch(way, known, [*how, "--refetch"], wanted)
    return said


def _present(git: Repository, refs: Iterable[str]) -> list[str]:
    return [ref for ref in refs if git.resolve_ref(ref)]


def _fetch(way: Way, known: list[str], how: list[str], wanted: list[str]) -> Said:
    """Other fetches may move the refs at the same time; then again.

    The remote may conclude from refs of ours alone what is here.
    """
    tips = [f"--negotiation-tip={ref}" for ref in known]
    nothing = [] if known else ["-c", "fetch.negotiationAlgorithm=noop"]
    command = [*nothing, *_FETCH, *how, *tips, "--", OUR_REMOTE, *wanted]
    said = talk(way, command)
    for _ in range(_MOST_TRIES - 1):
        if said.status == 0 or not any(map(_LOCKED.match, said.lines)):
            break
        names = [each.rpartition(":")[2] for each in wanted]
        _free(way.git, [name for name in names if not name.endswith("*")])
        said = talk(way, command)
    return said


def _free(git: Repository, refs: list[str]) -> None:
    """Moved to where they are, they lose the locks of those who were killed."""
    for ref in refs:
        if commit := git.resolve_ref(ref):
            git.update_ref(ref, commit, commit, "ocm: unlocked")


def _lacks(way: Way, tips: list[str], whole: list[str]) -> bool:
    """Whether objects are missing that these refs lead to, and whole ones do not."""
    command = ["rev-list", "--objects", "--missing=print", "--quiet", *tips]
    said = talk(way, [*command, "--not", *whole])
    return said.status != 0 or bool(said.output)
