"""All that a remote has of our refs, brought whatever is believed to be here.

A fetch leaves out what refs say is here, and believes them also where objects are
missing. So it goes into a repository of its own, which has nothing; the packs that come
are then moved over, and no ref of ours moves.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from gitmem.errors import NoPermission
from gitmem.git.files import sync
from gitmem.git.layout import own_dir
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.explain_errors import unreachable
from gitmem.store.remote.git_transport import ended, hear, refs_at
from gitmem.store.remote.remote import Line, Remote
from gitmem.store.remote.remote_access import OUR_REMOTE, access_to, environment
from gitmem.store.remote.watched_git import without_secrets

_FETCH = (
    *("-c", "core.hooksPath=/dev/null", "-c", "fetch.fsckObjects=true"),
    *("-c", "core.fsync=committed", "-c", "fetch.unpackLimit=1"),
    *("fetch", "--progress", "--no-auto-maintenance", "--no-write-fetch-head"),
    *("--no-tags", "--no-recurse-submodules", "--refmap=", "--no-write-commit-graph"),
)
_IN_ORDER = (".rev", ".pack", ".idx")
"""Of a pack; git takes it for one once its index is there."""


def bring_all(git: Repository, remote: Remote, line: Line) -> Mapping[str, Oid]:
    """Bring every object of our refs at the remote; gives where they are there.

    By our names, those that it has. Raises Unreachable, and NoPermission where the
    file system refuses.
    """
    names = list(remote.refs.values())
    there = refs_at(git, remote.location, names, line)
    found = {ref: there[name] for ref, name in remote.refs.items() if name in there}
    if found:
        try:
            with _empty_repository(git, next(iter(found.values())), line) as folder:
                _fetch(git, remote, folder, list(found), line)
                _take_packs(folder / "objects" / "pack", git.common_dir / "objects")
        except OSError as error:
            raise NoPermission(
                f"Objects cannot be written: {error.strerror}.",
                hint="Is the repository read-only, or the disk full?",
            ) from error
    return found


@contextmanager
def _empty_repository(git: Repository, oid: Oid, line: Line) -> Iterator[Path]:
    folder = Path(mkdtemp(prefix="fetched-", dir=own_dir(git.common_dir)))
    kind = "sha256" if len(oid) > 40 else "sha1"
    options = ["--quiet", "--bare", "--template=", f"--object-format={kind}"]
    try:
        said = hear(git, ["init", *options, str(folder)], line.variables, line)
        if said.status != 0:
            raise OSError(0, "git makes no repository in it")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _fetch(
    git: Repository, remote: Remote, folder: Path, refs: list[str], line: Line
) -> None:
    place = without_secrets(remote.name)
    access = access_to(git, remote.location, line.variables)
    variables = environment(access, line.variables, may_ask=line.may_ask)
    wanted = [f"+{remote.refs[ref]}:{ref}" for ref in refs]
    command = [f"--git-dir={folder}", *_FETCH, "--", OUR_REMOTE, *wanted]
    said = ended(hear(git, command, variables, line), place, line)
    if said.status != 0:
        raise unreachable(place, said.lines)


def _take_packs(there: Path, here: Path) -> None:
    folder = here / "pack"
    folder.mkdir(exist_ok=True)
    for suffix in _IN_ORDER:
        for file in there.glob(f"pack-*{suffix}"):
            file.replace(folder / file.name)
    sync(folder)
