"""Memory rides along: it goes with the user's own push, and comes as a session begins.

Nobody asked for it just now, nobody waits for it, and nobody is there to be asked for a
password. What came of it is remembered as of every sync; of a push that failed, a line
waits for the next one.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from gitmem.actions.sharing.last_sync import LastSync, last_sync
from gitmem.actions.sharing.share_settings import Sharing, sharing
from gitmem.errors import Busy, GitmemError, InvalidInput
from gitmem.git.files import make_folder, replace_file
from gitmem.git.repository import Repository
from gitmem.store.lock import locked
from gitmem.store.remote.remote import Line, Remote
from gitmem.text.control_characters import harmless
from gitmem.workspace import Workspace

PULLED_EVERY = timedelta(minutes=5)
"""No more often, in all work trees of a repository together."""
PATIENCE = 120.0
"""Seconds for all of it."""
_MOST_SAID = 300
"""Characters of what went wrong."""


def push_along(workspace: Workspace, name: str, url: str) -> None:
    """Send what is new, if the user pushes to the remote that memory is shared with.

    `name` and `url` are what git tells its hook of the remote; of one without a name,
    the URL twice. Nothing is done unless `ocm.autoPush` says yes.
    """
    chosen = _chosen(workspace)
    if not (chosen and chosen.auto_push):
        return
    if _is_meant(workspace.repository, chosen.remote, name, url):
        with suppress(Busy), _turn(workspace.own_dir):
            _exchange(workspace, chosen, pushes=True)
            _leave_word(workspace, last_sync(workspace))


def pull_is_due(workspace: Workspace) -> bool:
    """Whether `ocm.autoPull` wants memory to be pulled now.

    Who is told so has to do it: whatever comes of it, for a while nobody else is.
    """
    chosen = _chosen(workspace)
    if not (chosen and chosen.auto_pull):
        return False
    stamp = workspace.own_dir / "pulled"
    if _age(stamp, workspace.now()) < PULLED_EVERY:
        return False
    make_folder(stamp.parent)
    replace_file(stamp, b"")
    return True


def pull_along(workspace: Workspace) -> None:
    """Take what is new at the remote that memory is shared with."""
    if chosen := _chosen(workspace):
        _exchange(workspace, chosen, pushes=False)


def _chosen(workspace: Workspace) -> Sharing | None:
    """None also for a choice that makes no sense: `ocm doctor` says so."""
    with suppress(InvalidInput):
        return sharing(workspace)
    return None


def _is_meant(git: Repository, remote: Remote, name: str, url: str) -> bool:
    if name in git.remotes():
        return name == remote.name or url == remote.location
    keys = (f"remote.{remote.name}.{key}" for key in ("url", "pushurl"))
    urls = {remote.location, *(each for key in keys for each in git.config_values(key))}
    return not urls.isdisjoint((name, url))


@contextmanager
def _turn(folder: Path) -> Iterator[None]:
    """One at a time, and one that waits: it will send what the others would have.

    Raises Busy where one waits already.
    """
    with ExitStack() as working, ExitStack() as waiting:
        waiting.enter_context(locked(folder / "push-next.lock", 0))
        working.enter_context(locked(folder / "push.lock", PATIENCE))
        waiting.close()
        yield


def _exchange(workspace: Workspace, chosen: Sharing, *, pushes: bool) -> None:
    """A sync remembers itself what went wrong with it."""
    from gitmem.actions.sharing.sync import Wish, sync

    wish = Wish(pulls=not pushes, pushes=pushes)
    line = Line(workspace.environment.variables, PATIENCE)
    with suppress(GitmemError):
        sync(workspace, chosen, wish, line)


def _leave_word(workspace: Workspace, last: LastSync | None) -> None:
    """For the next push, which `hooks/run` lets say it, in a shell."""
    file = workspace.own_dir / "push-failed"
    with suppress(OSError):
        if last and last.error and last.error != Busy.code:  # that one sends it, too
            replace_file(file, f"{_word(last)}\n".encode("utf-8", "replace"))
        else:
            file.unlink(missing_ok=True)


def _word(last: LastSync) -> str:
    what = " ".join(harmless(last.words).split())[:_MOST_SAID]
    remote, at = harmless(last.remote), f"{last.at:%Y-%m-%d %H:%M}"
    return f"ocm: the memory did not go along to {remote} at {at}: {what}"


def _age(file: Path, now: datetime) -> timedelta:
    """A long time where there is no such file, or where its time is yet to come."""
    try:
        age = timedelta(seconds=now.timestamp() - int(file.stat().st_mtime))
    except OSError:
        return timedelta.max
    return age if age >= timedelta() else timedelta.max
