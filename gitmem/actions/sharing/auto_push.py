"""Push the memory with the user's own push, and pull it as a session begins.

Nobody waits for it or can be asked for a password. The result is noted as for every
sync; of a failed push, the next one prints a line.
"""

from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path

from gitmem.actions.sharing.share_settings import Sharing, sharing
from gitmem.actions.sharing.sync_status import LastSync, last_sync
from gitmem.errors import Busy, GitmemError, InvalidInput
from gitmem.git.files import changed_at, make_folder, replace_file
from gitmem.git.repository import Repository
from gitmem.store.lock import locked
from gitmem.store.remote.remote import Remote, TransportOptions
from gitmem.text.control_characters import harmless
from gitmem.workspace import Workspace

PULLED_EVERY = timedelta(minutes=5)
"""At most, over all work trees of a repository."""
PATIENCE = 120.0
"""Seconds for a whole push or pull."""
_MOST_SAID = 300
"""Characters of an error."""


def push_along(workspace: Workspace, name: str, url: str) -> None:
    """Push what is new, if git pushes to the remote the memory is shared with.

    `name` and `url` are those of git's hook, the URL twice for a remote without a name.
    If one push waits already, it sends this too.
    """
    chosen, folder = _chosen(workspace), workspace.own_dir
    if not (chosen and chosen.auto_push):
        return
    if _is_meant(workspace.repository, chosen.remote, name, url):
        with suppress(Busy), ExitStack() as working, ExitStack() as waiting:
            waiting.enter_context(locked(folder / "push-next.lock", 0))
            working.enter_context(locked(folder / "push.lock", PATIENCE))
            waiting.close()
            _exchange(workspace, chosen, pushes=True)
            _leave_word(folder / "push-failed", last_sync(workspace))


def pull_is_due(workspace: Workspace) -> bool:
    """Claim the pull that `ocm.autoPull` asks for, if none ran for five minutes."""
    chosen = _chosen(workspace)
    if not (chosen and chosen.auto_pull):
        return False
    stamp = workspace.own_dir / "pulled"
    age = workspace.now().timestamp() - int(changed_at(stamp))
    if 0 <= age < PULLED_EVERY.total_seconds():  # later than now it is wrong
        return False
    make_folder(stamp.parent)
    replace_file(stamp, b"")
    return True


def pull_along(workspace: Workspace) -> None:
    if chosen := _chosen(workspace):
        _exchange(workspace, chosen, pushes=False)


def _chosen(workspace: Workspace) -> Sharing | None:
    """Return what the user chose; None for nothing valid."""
    with suppress(InvalidInput):
        return sharing(workspace)
    return None


def _is_meant(git: Repository, remote: Remote, name: str, url: str) -> bool:
    if name in git.remotes():
        return name == remote.name or url == remote.location
    keys = (f"remote.{remote.name}.{key}" for key in ("url", "pushurl"))
    urls = {
        remote.location,
        *(value for key in keys for value in git.config_values(key)),
    }
    return not urls.isdisjoint((name, url))


def _exchange(workspace: Workspace, chosen: Sharing, *, pushes: bool) -> None:
    from gitmem.actions.sharing.sync import sync
    from gitmem.actions.sharing.sync_steps import SyncOptions

    wish = SyncOptions(pulls=not pushes, pushes=pushes)
    with suppress(GitmemError):
        sync(workspace, chosen, wish, TransportOptions(PATIENCE))


def _leave_word(file: Path, last: LastSync | None) -> None:
    """Leave a line that `hooks/run` prints at the next push."""
    with suppress(OSError):
        if last and last.error and last.error != Busy.code:  # that one sends it, too
            reason = " ".join(harmless(last.words).split())[:_MOST_SAID]
            remote, at = harmless(last.remote), f"{last.at:%Y-%m-%d %H:%M}"
            message = f"ocm: the memory was not pushed to {remote} at {at}: {reason}\n"
            replace_file(file, message.encode("utf-8", "replace"))
        else:
            file.unlink(missing_ok=True)
