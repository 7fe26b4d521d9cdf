"""Sharing is turned on and off: settings of this repository alone, and a refspec."""

from dataclasses import dataclass

from gitmem.actions.sharing.last_sync import forget_last_sync
from gitmem.actions.sharing.share_settings import AUTO_PULL, AUTO_PUSH, Sharing
from gitmem.errors import InvalidInput
from gitmem.git.config import is_on, set_config
from gitmem.git.repository import Repository
from gitmem.store.remote.refspecs import add_refspecs, remove_refspecs
from gitmem.store.remote.remote import (
    REMOTE,
    REMOTE_REF,
    REMOTE_URL,
    SHARE_CONVERSATIONS,
    Choice,
    remote_of,
)
from gitmem.store.remote.tracking import release
from gitmem.workspace import Workspace

_USUAL = "origin"
_OURS = (REMOTE, REMOTE_URL, REMOTE_REF, SHARE_CONVERSATIONS, AUTO_PUSH, AUTO_PULL)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asks for; None for what is to stay as it is."""

    name: str | None = None
    url: str | None = None
    ref: str | None = None
    with_conversations: bool | None = None
    auto_push: bool | None = None
    auto_pull: bool | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What sharing would be, were it turned on."""

    chosen: Choice
    sharing: Sharing


def proposal(workspace: Workspace, wanted: Wanted) -> Proposal:
    """What is asked for, over what is set already.

    Raises InvalidInput where it makes no sense, where it cannot be known which remote
    is meant, and where memory is shared with another one: that has to be ended first.
    """
    git, before = workspace.repository, workspace.chosen
    chosen = _chosen(git, wanted, before)
    if before and (before.name, before.url) != (chosen.name, chosen.url):
        raise InvalidInput(
            f"This memory is shared with {before.called} already.",
            hint="There is one place at a time; `ocm share off` ends it.",
        )
    return Proposal(
        chosen,
        Sharing(
            remote_of(git, chosen),
            auto_push=_either(wanted.auto_push, is_on(git, AUTO_PUSH)),
            auto_pull=_either(wanted.auto_pull, is_on(git, AUTO_PULL)),
        ),
    )


def turn_on(workspace: Workspace, proposed: Proposal) -> None:
    """Write the settings, and have `git fetch` bring what others save."""
    git, chosen, sharing = workspace.repository, proposed.chosen, proposed.sharing
    if workspace.chosen != chosen:
        _drop(workspace, chosen.called)
    _set(workspace, REMOTE_REF, chosen.ref)
    for key, flag in (
        (SHARE_CONVERSATIONS, chosen.with_conversations),
        (AUTO_PUSH, sharing.auto_push),
        (AUTO_PULL, sharing.auto_pull),
    ):
        if flag != is_on(git, key):
            _set(workspace, key, "true" if flag else "false")
    _set(workspace, REMOTE_URL, chosen.url)  # whoever is cut off shares with no other
    _set(workspace, REMOTE, chosen.name)
    if chosen.url is None:
        add_refspecs(git, sharing.remote, workspace.environment.variables)


def turn_off(workspace: Workspace) -> str | None:
    """Take all of it back, with what is known of the remote; gives the remote's name.

    What is at the remote stays there. None where memory was not shared.
    """
    chosen = workspace.chosen
    for key in _OURS:
        _set(workspace, key, None)
    if chosen is None:
        return None
    _drop(workspace, chosen.called)
    forget_last_sync(workspace)
    return chosen.called


def _chosen(git: Repository, wanted: Wanted, before: Choice | None) -> Choice:
    _require_remote(git, wanted)
    name = wanted.name or (before.name if before else _only_name(git, wanted))
    return Choice(
        name=name,
        url=wanted.url or (before.url if before else None),
        ref=wanted.ref or git.config(REMOTE_REF),
        with_conversations=_either(
            wanted.with_conversations, is_on(git, SHARE_CONVERSATIONS)
        ),
    )


def _require_remote(git: Repository, wanted: Wanted) -> None:
    known = git.remotes()
    if known and wanted.name and wanted.name not in known and not wanted.url:
        raise InvalidInput(
            f"There is no remote {wanted.name!r}.",
            hint=f"There are: {', '.join(sorted(known))}.",
        )


def _only_name(git: Repository, wanted: Wanted) -> str | None:
    """The remote that can be meant where none is named; none has to be, with a URL."""
    names = list(git.remotes())
    if wanted.url is not None:
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


def _either(wanted: bool | None, now: bool) -> bool:
    return now if wanted is None else wanted


def _drop(workspace: Workspace, name: str) -> None:
    """Nothing is known any more of what is at the remote, and nothing fetched."""
    git = workspace.repository
    remove_refspecs(git, name, workspace.environment.variables)
    release(git, name)


def _set(workspace: Workspace, key: str, value: str | None) -> None:
    git = workspace.repository
    if git.config(key) != value:
        set_config(git, key, value, workspace.environment.variables)
