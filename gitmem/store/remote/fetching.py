"""Fetch our refs from a remote, into the tracking refs.

FETCH_HEAD, tags and the user's refspecs stay untouched, and no maintenance runs.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from gitmem.documents.kinds import refs as all_refs
from gitmem.errors import NoPermission
from gitmem.git.files import sync
from gitmem.git.layout import own_dir
from gitmem.git.packing import fetching
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.explain_errors import unreachable
from gitmem.store.remote.git_transport import OUR_REMOTE, Way, refs_at, talk, way_to
from gitmem.store.remote.remote import Remote, TransportOptions
from gitmem.store.remote.watched_git import Said
from gitmem.text.patterns import pattern

_FETCH = (
    *("-c", "fetch.fsckObjects=true"),
    *("-c", "core.fsync=committed"),  # by default, git leaves out single objects
    *("fetch", "--progress", "--no-auto-maintenance", "--no-write-fetch-head"),
    *("--no-tags", "--no-prune", "--no-recurse-submodules", "--no-filter"),
    *("--refmap=", "--no-write-commit-graph"),
)
_MOST_TRIES = 3
"""Tries of a fetch beside other fetches."""
_NOT_THERE = "fatal: couldn't find remote ref "
_LEFT_OUT = pattern(r"warning: rejected .* because shallow roots")
_DAMAGED = pattern(r"error: object [0-9a-f]+: |fatal: fsck error|error: .*fsck")
_LOCKED = pattern(r"error: cannot lock ref 'refs/ocm/")
_PACKED_LOCKED = pattern(r"error: could not delete reference.*packed-refs\.lock'")
_IN_ORDER = (".rev", ".pack", ".idx")
"""Of a pack; git takes it for one once its index is there."""


def fetch(
    git: Repository,
    remote: Remote,
    line: TransportOptions,
    *,
    with_inboxes: bool = True,
) -> None:
    """Fetch into the tracking refs, with all objects; delete those gone at the remote.

    What waits there for a ref comes, too, unless `with_inboxes` is off, as in a race.
    Raises Unreachable, and Busy where another program keeps a tracking ref locked.
    """
    way = way_to(git, remote.name, remote.location, line)
    refs, inboxes = dict(remote.refs), remote.inboxes if with_inboxes else []
    with fetching(git):
        while refs:
            result = _fetched(way, remote, refs, inboxes)
            if result.status == 0 and not any(map(_LEFT_OUT.search, result.lines)):
                return
            lacked = {
                output_line.removeprefix(_NOT_THERE) for output_line in result.lines
            }
            if inboxes and any(map(_DAMAGED.match, result.lines)):
                inboxes = []  # nobody's may keep the ref from everybody
                continue
            if lacked.isdisjoint(refs.values()):
                raise unreachable(way.place, result.lines)
            for ref in [ref for ref, name in refs.items() if name in lacked]:
                if (tracking := remote.tracking(ref)) in git.refs(tracking):
                    git.delete_ref(tracking)
                del refs[ref]


def bring_all(
    git: Repository, remote: Remote, line: TransportOptions
) -> Mapping[str, Oid]:
    """Fetch every object of our refs at the remote; returns their tips there.

    A plain fetch believes that what refs lead to is here. So this one goes into an
    empty repository, whose packs are then moved over; no ref moves. Raises Unreachable,
    and NoPermission where the file system refuses.
    """
    remote_tips = refs_at(git, remote.location, [*remote.refs.values()], line)
    tips = {
        ref: remote_tips[name]
        for ref, name in remote.refs.items()
        if name in remote_tips
    }
    way = way_to(git, remote.name, remote.location, line)
    if tips:
        try:
            with _empty_repository(way, next(iter(tips.values()))) as folder:
                refspecs = [f"+{remote.refs[ref]}:{ref}" for ref in tips]
                command = ["-c", "fetch.unpackLimit=1", *_FETCH, "--", OUR_REMOTE]
                result = talk(way, [*command, *refspecs], folder)
                if result.status != 0:
                    raise unreachable(way.place, result.lines)
                _take_packs(folder / "objects/pack", git.common_dir / "objects/pack")
        except OSError as error:
            raise NoPermission(
                f"Objects cannot be written: {error.strerror}.",
                hint="Is the repository read-only, or the disk full?",
            ) from error
    return tips


def _fetched(
    way: Way, remote: Remote, refs: Mapping[str, str], inboxes: list[str]
) -> Said:
    """Fetch with all objects, in a partial clone as well.

    There a plain `git fetch` leaves blobs out, and the next one believes that they are
    here. So the negotiation names our own refs alone.
    """
    refspecs = [f"+{name}:{remote.tracking(ref)}" for ref, name in refs.items()]
    options, refspecs = ["--prune"] if inboxes else [], [*refspecs, *inboxes]
    present_refs = _present(way.git, all_refs())
    tracking = [remote.tracking(ref) for ref in refs]
    if not way.git.is_partial:
        return _fetch(
            way, [*present_refs, *_present(way.git, tracking)], options, refspecs
        )
    result = _fetch(way, present_refs, options, refspecs)
    if result.status == 0:
        tips = [*_present(way.git, tracking), "--not", *present_refs]
        walk = ["rev-list", "--objects", "--missing=print", "--quiet", *tips]
        lacking = talk(way, walk)
        if lacking.status != 0 or lacking.output:
            return _fetch(way, present_refs, [*options, "--refetch"], refspecs)
    return result


def _present(git: Repository, refs: Iterable[str]) -> list[str]:
    return [ref for ref in refs if git.resolve_ref(ref)]


def _fetch(
    way: Way, present_refs: list[str], options: list[str], refspecs: list[str]
) -> Said:
    """Fetch, again where another fetch holds the lock of a ref.

    Updating a ref to where it is, or deleting none, removes the lock of a process that
    was killed. The lock of all packed refs is the user's as well, and stays: what is
    gone at the remote is deleted another time.
    """
    tips = [f"--negotiation-tip={ref}" for ref in present_refs]
    nothing = [] if present_refs else ["-c", "fetch.negotiationAlgorithm=noop"]
    command = [*nothing, *_FETCH, *options, *tips, "--", OUR_REMOTE, *refspecs]
    result = talk(way, command)
    if any(map(_PACKED_LOCKED.match, result.lines)):
        return _fetch(
            way,
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
            if commit := way.git.resolve_ref(ref):
                way.git.update_ref(ref, commit, commit, "ocm: unlocked")
            else:
                way.git.delete_ref(ref)
        result = talk(way, command)
    return result


@contextmanager
def _empty_repository(way: Way, oid: Oid) -> Iterator[Path]:
    folder = Path(mkdtemp(prefix="fetched-", dir=own_dir(way.git.common_dir)))
    kind = "sha256" if len(oid) > 40 else "sha1"
    options = ["--quiet", "--bare", "--template=", f"--object-format={kind}"]
    try:
        if talk(way, ["init", *options, str(folder)], folder).status != 0:
            raise OSError(0, "git makes no repository in it")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _take_packs(source: Path, target: Path) -> None:
    target.mkdir(exist_ok=True)
    for suffix in _IN_ORDER:
        for file in source.glob(f"pack-*{suffix}"):
            file.replace(target / file.name)
    sync(target)
