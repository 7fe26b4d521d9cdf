"""Checks of sharing, without asking the remote."""

from collections.abc import Iterator
from datetime import timedelta

from gitmem.actions.doctor.finding import Code, Finding, note, ok, problem, warning
from gitmem.actions.sharing.deletion_notices import counted_documents
from gitmem.actions.sharing.share_settings import sharing as chosen_sharing
from gitmem.actions.sharing.sync_status import (
    at_remote,
    last_sync,
    unsent,
    waiting_since,
)
from gitmem.documents.kinds import refs
from gitmem.errors import Damaged, InvalidInput
from gitmem.git.config import are_excluded, is_on, sources_of
from gitmem.store.remote.held_back import read_unsaid
from gitmem.store.remote.remote import Remote, fetched_from, require_no_overwriting
from gitmem.store.remote.untrusted import difference
from gitmem.store.trees.committing import REMOTE_URL
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted, shortlist
from gitmem.workspace import Workspace

_PATIENT = timedelta(days=3)
"""How long sessions may wait before that is a warning."""
_SYNC = "Run `ocm sync`."
_NAMED = 3


def shared(workspace: Workspace) -> Iterator[Finding]:
    try:
        chosen = chosen_sharing(workspace)
    except InvalidInput as error:
        yield problem(Code.SHARING, error.message, error.hint or "")
        return
    if chosen is None:
        yield ok(Code.SHARING, "memory is not shared")
        return
    yield _with(chosen.remote)
    yield from _not_fetched(workspace, chosen.remote)
    yield _last(workspace)
    yield _unsent(workspace, chosen.remote)
    yield from _not_taken(workspace, chosen.remote)
    yield from _held_back(workspace, chosen.remote)


def refspecs(workspace: Workspace) -> Iterator[Finding]:
    """Check what the user's own fetches and pushes do with our refs."""
    for name in workspace.repository.remotes():
        yield from _overwritten(workspace, name)
        yield from _pushed_along(workspace, name)


def _with(remote: Remote) -> Finding:
    location = ", ".join(remote.refs.values())
    if CONVERSATIONS_REF in remote.refs:
        message = f"memory and conversations are shared with {remote.name}"
        return note(Code.SHARING, message, location=location)
    return ok(Code.SHARING, f"memory is shared with {remote.name}", location=location)


def _not_fetched(workspace: Workspace, remote: Remote) -> Iterator[Finding]:
    """Report that a plain `git fetch` brings no memory."""
    git = workspace.repository
    if git.config(REMOTE_URL):  # it is not meant to
        return
    message = f"`git fetch {remote.name}` does not bring memory"
    fetched, tracking = fetched_from(git, remote.name), remote.tracking(REF)
    is_partial = is_on(git, f"remote.{remote.name}.promisor")
    if is_partial or are_excluded(fetched, tracking):
        remedy = "`ocm pull` does, and `ocm.autoPull` as sessions begin."
        yield warning(Code.FETCH, message, remedy, remote.name)
    elif remote.refs[REF] not in sources_of(fetched, tracking):
        remedy = f"`ocm share on {remote.name}` puts its refspec there again."
        yield warning(Code.FETCH, message, remedy, remote.name)


def _last(workspace: Workspace) -> Finding:
    sync = last_sync(workspace)
    if sync is None:
        return note(Code.SYNC, "memory was not synced yet", _SYNC)
    at = f"{sync.at.astimezone(workspace.now().tzinfo):%Y-%m-%d %H:%M}"
    message = f"the last sync, {at}: {sync.words}"
    if sync.error:
        return warning(Code.SYNC, message, sync.hint or _SYNC)
    return ok(Code.SYNC, message)


def _unsent(workspace: Workspace, remote: Remote) -> Finding:
    ids = unsent(workspace, remote)
    if not ids:
        return ok(Code.UNSENT, "all sessions are sent")
    since, now = waiting_since(workspace, ids), workspace.now()
    message = f"{counted(len(ids), 'session')} to be sent"
    if since is None or now - since <= _PATIENT:
        return note(Code.UNSENT, message, _SYNC)
    message = f"{message}, for {counted((now - since).days, 'day')}"
    return warning(Code.UNSENT, message, _SYNC)


def _not_taken(workspace: Workspace, remote: Remote) -> Iterator[Finding]:
    memory = workspace.store.memory()
    tip = at_remote(workspace, remote, memory)
    try:
        unread = difference(workspace.repository, memory, tip)
    except Damaged:  # a partial clone, in which `git fetch` left texts out
        return
    if unread.strangers:
        count = counted(len(unread.strangers) + unread.more_strangers, "path")
        example = unread.strangers[0]
        message = (
            f"{count} not taken from {remote.name}, such as {example.path},"
            f" {example.what}"
        )
        remedy = "No gitmem puts that there; ask who did."
        yield warning(Code.STRANGER, message, remedy)


def _held_back(workspace: Workspace, remote: Remote) -> Iterator[Finding]:
    if ids := read_unsaid(workspace.own_dir).held:
        count, names = counted_documents(ids), shortlist(ids, _NAMED)
        message = (
            f"{count} that others forgot or replaced at {remote.name} wait for you"
        )
        remedy = "`ocm sync --review` shows them; --accept and --refuse decide."
        yield warning(Code.HELD_BACK, f"{message}: {names}", remedy)


def _overwritten(workspace: Workspace, name: str) -> Iterator[Finding]:
    try:
        require_no_overwriting(workspace.repository, [name])
    except InvalidInput as error:
        yield problem(Code.FETCH, error.message, error.hint or "", name)


def _pushed_along(workspace: Workspace, name: str) -> Iterator[Finding]:
    git = workspace.repository
    mirror, push = f"remote.{name}.mirror", f"remote.{name}.push"
    advice = "in git's configuration says so."
    if is_on(git, mirror):
        message = (
            f"a push to {name} mirrors all refs: it sends memory and conversations"
        )
        yield problem(Code.PUSH, message, f"{mirror} {advice}", name)
    elif ref := _pushed(git.config_values(push)):
        message = f"a push to {name} sends {ref} as well, whatever is chosen here"
        yield problem(Code.PUSH, message, f"{push} {advice}", name)


def _pushed(refspecs_of_push: list[str]) -> str | None:
    """Return our ref that goes with a push that names none."""
    sources = [refspec.lstrip("+").partition(":")[0] for refspec in refspecs_of_push]
    itself = [
        refspec if refspec.startswith("^") else f"{refspec}:{refspec}"
        for refspec in sources
    ]
    return next((ref for ref in refs() if sources_of(itself, ref)), None)
