"""Checks of sharing, without asking the remote."""

from collections.abc import Iterator
from datetime import timedelta

from gitmem.actions.doctor.finding import Code, Finding, note, ok, problem, warning
from gitmem.actions.sharing.review_held import counted_documents
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
from gitmem.store.remote.remote import (
    Remote,
    fetched_from,
    require_no_overwriting,
)
from gitmem.store.remote.untrusted import difference
from gitmem.store.trees.committing import REMOTE_URL
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted, listed
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
    where = ", ".join(remote.refs.values())
    if CONVERSATIONS_REF in remote.refs:
        what = f"memory and conversations are shared with {remote.name}"
        return note(Code.SHARING, what, where=where)
    return ok(Code.SHARING, f"memory is shared with {remote.name}", where=where)


def _not_fetched(workspace: Workspace, remote: Remote) -> Iterator[Finding]:
    """Report that a plain `git fetch` brings no memory."""
    git = workspace.repository
    if git.config(REMOTE_URL):  # it is not meant to
        return
    what = f"`git fetch {remote.name}` does not bring memory"
    fetched, tracking = fetched_from(git, remote.name), remote.tracking(REF)
    is_partial = is_on(git, f"remote.{remote.name}.promisor")
    if is_partial or are_excluded(fetched, tracking):
        mend = "`ocm pull` does, and `ocm.autoPull` as sessions begin."
        yield warning(Code.FETCH, what, mend, remote.name)
    elif remote.refs[REF] not in sources_of(fetched, tracking):
        mend = f"`ocm share on {remote.name}` puts its refspec there again."
        yield warning(Code.FETCH, what, mend, remote.name)


def _last(workspace: Workspace) -> Finding:
    last = last_sync(workspace)
    if last is None:
        return note(Code.SYNC, "memory was not synced yet", _SYNC)
    at = f"{last.at.astimezone(workspace.now().tzinfo):%Y-%m-%d %H:%M}"
    what = f"the last sync, {at}: {last.words}"
    if last.error:
        return warning(Code.SYNC, what, last.hint or _SYNC)
    return ok(Code.SYNC, what)


def _unsent(workspace: Workspace, remote: Remote) -> Finding:
    ids = unsent(workspace, remote)
    if not ids:
        return ok(Code.UNSENT, "all sessions are sent")
    since, now = waiting_since(workspace, ids), workspace.now()
    what = f"{counted(len(ids), 'session')} to be sent"
    if since is None or now - since <= _PATIENT:
        return note(Code.UNSENT, what, _SYNC)
    what = f"{what}, for {counted((now - since).days, 'day')}"
    return warning(Code.UNSENT, what, _SYNC)


def _not_taken(workspace: Workspace, remote: Remote) -> Iterator[Finding]:
    memory = workspace.store.memory()
    there = at_remote(workspace, remote, memory)
    try:
        found = difference(workspace.repository, memory, there)
    except Damaged:  # a partial clone, in which `git fetch` left texts out
        return
    if found.strangers:
        count = counted(len(found.strangers) + found.more_strangers, "path")
        first = found.strangers[0]
        what = (
            f"{count} not taken from {remote.name}, such as {first.path}, {first.what}"
        )
        mend = "No gitmem puts that there; ask who did."
        yield warning(Code.STRANGER, what, mend)


def _held_back(workspace: Workspace, remote: Remote) -> Iterator[Finding]:
    if ids := read_unsaid(workspace.own_dir).held:
        count, named = counted_documents(ids), listed(ids, _NAMED)
        what = f"{count} that others forgot or replaced at {remote.name} wait for you"
        mend = "`ocm sync --review` shows them; --accept and --refuse decide."
        yield warning(Code.HELD_BACK, f"{what}: {named}", mend)


def _overwritten(workspace: Workspace, name: str) -> Iterator[Finding]:
    try:
        require_no_overwriting(workspace.repository, [name])
    except InvalidInput as error:
        yield problem(Code.FETCH, error.message, error.hint or "", name)


def _pushed_along(workspace: Workspace, name: str) -> Iterator[Finding]:
    git = workspace.repository
    mirror, push = f"remote.{name}.mirror", f"remote.{name}.push"
    said = "in git's configuration says so."
    if is_on(git, mirror):
        what = f"a push to {name} mirrors all refs: it sends memory and conversations"
        yield problem(Code.PUSH, what, f"{mirror} {said}", name)
    elif ref := _pushed(git.config_values(push)):
        what = f"a push to {name} sends {ref} as well, whatever is chosen here"
        yield problem(Code.PUSH, what, f"{push} {said}", name)


def _pushed(refspecs_of_push: list[str]) -> str | None:
    """Return our ref that goes with a push that names none."""
    sources = [each.lstrip("+").partition(":")[0] for each in refspecs_of_push]
    itself = [each if each.startswith("^") else f"{each}:{each}" for each in sources]
    return next((ref for ref in refs() if sources_of(itself, ref)), None)
