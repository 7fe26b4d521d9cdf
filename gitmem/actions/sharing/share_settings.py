"""Settings of sharing in git's configuration: read, turn on, turn off.

They are settings of this repository alone, and a refspec.
"""

from contextlib import suppress
from pathlib import Path

from gitmem.actions.sharing.sync_status import forget_last_sync
from gitmem.config import AUTO_PULL_SETTING, AUTO_PUSH_SETTING
from gitmem.errors import GitmemError, InvalidInput
from gitmem.frozen import frozen
from gitmem.git.config import is_on, set_config
from gitmem.git.files import make_folder, replace_file
from gitmem.git.repository import Repository
from gitmem.store.remote.git_transport import refs_at
from gitmem.store.remote.pushing import agree
from gitmem.store.remote.remote import (
    BRANCH,
    REMOTE_REF,
    SHARE_CONVERSATIONS,
    Choice,
    Remote,
    TransportOptions,
    add_refspecs,
    remote_of,
    remove_refspecs,
    require_no_overwriting,
)
from gitmem.store.remote.tracking import release
from gitmem.store.trees.committing import REMOTE, REMOTE_URL
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace

_USUAL = "origin"
_OURS = (
    REMOTE,
    REMOTE_URL,
    REMOTE_REF,
    SHARE_CONVERSATIONS,
    AUTO_PUSH_SETTING,
    AUTO_PULL_SETTING,
)
_PATIENCE = 5.0
"""Seconds to wait for a remote that the user did not name."""


@frozen
class Sharing:
    chosen: Choice
    remote: Remote
    auto_push: bool
    auto_pull: bool


@frozen
class ShareRequest:
    """What the user asks for; None keeps what is set."""

    name: str | None = None
    url: str | None = None
    ref: str | None = None
    with_conversations: bool | None = None
    auto_push: bool | None = None
    auto_pull: bool | None = None


def sharing(workspace: Workspace) -> Sharing | None:
    """Return what the user chose, None for nothing. Raises InvalidInput."""
    chosen = workspace.chosen
    return _sharing(workspace.repository, chosen, ShareRequest()) if chosen else None


def chosen_sharing(workspace: Workspace, remote: str | None) -> Sharing:
    """Return what the user chose. Raises InvalidInput for another remote or none."""
    current = sharing(workspace)
    if current is None:
        raise InvalidInput(
            "This memory is shared with no remote.",
            hint=f"`ocm share on{f' {remote}' if remote else ''}` shows what would"
            " leave, and asks.",
        )
    if remote not in (None, current.remote.name):
        raise InvalidInput(
            f"This memory is shared with {current.remote.name}, and with no other"
            " remote.",
            hint="`ocm share on` chooses another one, after `ocm share off`.",
        )
    return current


def proposal(workspace: Workspace, request: ShareRequest) -> Sharing:
    """Return the settings asked for, over those that are set.

    Raises InvalidInput for an unknown or ambiguous remote, if the memory is shared with
    another one, and if a fetch writes over it.
    """
    git, before = workspace.repository, workspace.chosen
    remotes = git.remotes()
    require_no_overwriting(git, remotes)
    if remotes and request.name and request.name not in remotes and not request.url:
        raise InvalidInput(
            f"There is no remote {request.name!r}.",
            hint=f"There are: {', '.join(sorted(remotes))}.",
        )
    set_name, set_url = (before.name, before.url) if before else (None, None)
    chosen = Choice(
        request.name or (set_name if before else _only_name(git, request)),
        request.url or set_url,
        request.ref or git.config(REMOTE_REF),
        _either(git, SHARE_CONVERSATIONS, request.with_conversations),
    )
    if before and (set_name, set_url) != (chosen.name, chosen.url):
        raise InvalidInput(
            f"This memory is shared with {before.called} already.",
            hint="There is one place at a time; `ocm share off` ends it.",
        )
    return _sharing(git, chosen, request)


def turn_on(workspace: Workspace, sharing: Sharing) -> None:
    """Write the settings and the refspec for `git fetch`."""
    git, chosen = workspace.repository, sharing.chosen
    if agree(git, sharing.remote) or workspace.chosen != chosen:
        _drop(workspace, chosen)
    _set(workspace, REMOTE_REF, chosen.ref)
    for key, flag in (
        (SHARE_CONVERSATIONS, chosen.with_conversations),
        (AUTO_PUSH_SETTING, sharing.auto_push),
        (AUTO_PULL_SETTING, sharing.auto_pull),
    ):
        if flag != is_on(git, key):
            _set(workspace, key, "true" if flag else "false")
    _set(workspace, REMOTE_URL, chosen.url)  # whoever is cut off shares with no other
    _set(workspace, REMOTE, chosen.name)
    if chosen.url is None:
        add_refspecs(git, sharing.remote)


def turn_off(workspace: Workspace) -> str | None:
    """Remove settings and tracking refs; return the name of the remote, if any."""
    chosen = workspace.chosen
    for key in _OURS:
        _set(workspace, key, None)
    if chosen is None:
        return None
    _drop(workspace, chosen)
    forget_last_sync(workspace)
    return chosen.called


def memory_there(workspace: Workspace) -> ShareRequest | None:
    """Return how to share a memory that the usual remote has already.

    None for no memory, or no answer within five seconds.
    """
    with suppress(GitmemError):
        remote = proposal(workspace, ShareRequest()).remote
        names = [remote.refs[REF], BRANCH]
        line = TransportOptions(_PATIENCE)
        remote_refs = refs_at(workspace.repository, remote.location, names, line)
        if ref := next((name for name in names if name in remote_refs), None):
            return ShareRequest(remote.name, ref=None if ref == REF else ref)
    return None


def is_undecided(workspace: Workspace) -> bool:
    """Tell whether the user neither shared the memory nor declined."""
    return workspace.chosen is None and not _declined(workspace).exists()


def decline(workspace: Workspace) -> None:
    """Note that the user declined. Raises OSError."""
    file = _declined(workspace)
    make_folder(file.parent)
    replace_file(file, b"")


def _sharing(git: Repository, chosen: Choice, request: ShareRequest) -> Sharing:
    auto_push = _either(git, AUTO_PUSH_SETTING, request.auto_push)
    auto_pull = _either(git, AUTO_PULL_SETTING, request.auto_pull)
    return Sharing(chosen, remote_of(git, chosen), auto_push, auto_pull)


def _either(git: Repository, key: str, flag: bool | None) -> bool:
    return is_on(git, key) if flag is None else flag


def _only_name(git: Repository, request: ShareRequest) -> str | None:
    """Return the remote meant where none is named; None with a URL."""
    names = list(git.remotes())
    if request.url is not None:
        return None
    if not names:
        raise InvalidInput(
            "This repository has no remote to share its memory with.",
            hint="`git remote add` makes one; `--url` names another repository.",
        )
    if len(names) > 1 and _USUAL not in names:
        raise InvalidInput(
            "There are several remotes, and memory goes to one.",
            hint=f"Name it: `ocm share on REMOTE`, of {', '.join(sorted(names))}.",
        )
    return _USUAL if _USUAL in names else names[0]


def _drop(workspace: Workspace, chosen: Choice) -> None:
    """Delete refspecs and tracking refs of the remote."""
    git = workspace.repository
    remove_refspecs(git, chosen.called)
    release(git, chosen.called)


def _set(workspace: Workspace, key: str, value: str | None) -> None:
    git = workspace.repository
    if git.config(key) != value:
        set_config(git, key, value)


def _declined(workspace: Workspace) -> Path:
    return workspace.own_dir / "share-declined"
