"""What `ocm doctor` looks at where memory is shared, without asking the remote."""

from collections.abc import Iterator
from datetime import timedelta

from gitmem.actions.doctor.finding import Code, Finding, Grade
from gitmem.actions.sharing.ahead_behind import at_remote, unsent, waiting_since
from gitmem.actions.sharing.last_sync import LastSync, last_sync
from gitmem.actions.sharing.share_settings import AUTO_PUSH, Sharing
from gitmem.actions.sharing.share_settings import sharing as chosen_sharing
from gitmem.errors import Damaged, InvalidInput
from gitmem.git.config import is_on
from gitmem.git.refspec import are_excluded, sources_of
from gitmem.store.remote.chosen_remote import REMOTE_URL
from gitmem.store.remote.refspecs import fetched_from, to_leave_out, written_over
from gitmem.store.remote.unreported import read_unsaid
from gitmem.store.remote.untrusted import difference
from gitmem.store.trees.conversation_tree import REF as CONVERSATIONS_REF
from gitmem.store.trees.kinds import REFS
from gitmem.store.trees.session_tree import REF
from gitmem.text.counting import counted, listed
from gitmem.workspace import Workspace

_PATIENT = timedelta(days=3)
"""How long sessions may wait to be sent before somebody should see to it."""
_SYNC = "Run `ocm sync`."
_NAMED = 3


def sharing(workspace: Workspace) -> Iterator[Finding]:
    try:
        chosen = chosen_sharing(workspace)
    except InvalidInput as error:
        yield Finding(
            code=Code.SHARING,
            grade=Grade.PROBLEM,
            what=error.message,
            mend=error.hint or "",
        )
        return
    if chosen is None:
        yield Finding(code=Code.SHARING, what="memory is shared with nobody")
        return
    yield from _with(workspace, chosen)
    yield from _last(workspace, last_sync(workspace))
    yield from _unsent(workspace, chosen)
    yield from _strangers(workspace, chosen)
    yield from _held_back(workspace, chosen)


def refspecs(workspace: Workspace) -> Iterator[Finding]:
    """What the user's own fetches and pushes do with our refs."""
    for name in workspace.repository.remotes():
        yield from _written_straight(workspace, name)
        yield from _pushed_along(workspace, name)


def _with(workspace: Workspace, chosen: Sharing) -> Iterator[Finding]:
    remote, git = chosen.remote, workspace.repository
    is_said = CONVERSATIONS_REF in remote.refs
    what = "memory and what was said are" if is_said else "memory is"
    yield Finding(
        code=Code.SHARING,
        grade=Grade.NOTE if is_said else Grade.OK,
        what=f"{what} shared with {remote.name}",
        where=", ".join(remote.refs.values()),
    )
    if chosen.auto_push and remote.name not in git.remotes():
        yield Finding(
            code=Code.SHARING,
            grade=Grade.WARNING,
            about=AUTO_PUSH,
            what="memory goes along with no push: no remote is named to push to",
            mend="`git config ocm.remote NAME` says with which remote's pushes.",
        )
    yield from _fetched(workspace, chosen)


def _fetched(workspace: Workspace, chosen: Sharing) -> Iterator[Finding]:
    """Whether a plain `git fetch` brings what others save."""
    git, remote = workspace.repository, chosen.remote
    if git.config(REMOTE_URL):  # it is not meant to
        return
    why_not, mend = "", "`ocm pull` does, and `ocm.autoPull` as sessions begin."
    fetched, tracking = fetched_from(git, remote.name), remote.tracking(REF)
    if are_excluded(fetched, tracking):
        why_not = f"a negative refspec in remote.{remote.name}.fetch leaves it out"
    elif remote.refs[REF] not in sources_of(fetched, tracking):
        why_not = "its refspec is not there any more"
        mend = f"`ocm share on {remote.name}` puts it there again."
    elif is_on(git, f"remote.{remote.name}.promisor"):
        why_not = "this clone leaves out what files hold"
    if why_not:
        yield Finding(
            code=Code.FETCH,
            grade=Grade.WARNING,
            about=remote.name,
            what=f"`git fetch {remote.name}` does not bring memory: {why_not}",
            mend=mend,
        )


def _last(workspace: Workspace, last: LastSync | None) -> Iterator[Finding]:
    if last is None:
        what = "memory was not sent or fetched yet"
        yield Finding(code=Code.SYNC, grade=Grade.NOTE, what=what, mend=_SYNC)
        return
    at = f"{last.at.astimezone(workspace.now().tzinfo):%Y-%m-%d %H:%M}"
    yield Finding(
        code=Code.SYNC,
        grade=Grade.WARNING if last.error else Grade.OK,
        what=f"the last sync, {at}: {last.words}",
        mend=(last.hint or _SYNC) if last.error else "",
    )


def _unsent(workspace: Workspace, chosen: Sharing) -> Iterator[Finding]:
    ids = unsent(workspace, chosen.remote)
    if not ids:
        yield Finding(code=Code.UNSENT, what="all sessions are sent")
        return
    since, now = waiting_since(workspace, ids), workspace.now()
    is_long = since is not None and now - since > _PATIENT
    for_days = (
        f", for {counted((now - since).days, 'day')}" if since and is_long else ""
    )
    yield Finding(
        code=Code.UNSENT,
        grade=Grade.WARNING if is_long else Grade.NOTE,
        what=f"{counted(len(ids), 'session')} to be sent{for_days}",
        mend=_SYNC,
    )


def _strangers(workspace: Workspace, chosen: Sharing) -> Iterator[Finding]:
    there, memory = at_remote(workspace, chosen.remote), workspace.store.memory()
    try:
        found = difference(workspace.repository, memory, there)
    except Damaged:  # a partial clone, in which `git fetch` left texts out
        return
    for each in found.strangers:
        yield Finding(
            code=Code.STRANGER,
            grade=Grade.WARNING,
            about=each.path,
            what=f"not taken from {chosen.remote.name}: {each.path}, {each.what}",
            mend="No gitmem puts it there; ask who did.",
        )
    if found.more_strangers:
        yield Finding(
            code=Code.STRANGER,
            grade=Grade.WARNING,
            what=f"and {found.more_strangers:,} more that were not taken",
        )


def _held_back(workspace: Workspace, chosen: Sharing) -> Iterator[Finding]:
    if ids := read_unsaid(workspace.own_dir).held:
        yield Finding(
            code=Code.HELD_BACK,
            grade=Grade.WARNING,
            what=f"{counted(len(ids), 'session')} that others forgot at"
            f" {chosen.remote.name} and that wait for you: {listed(ids, _NAMED)}",
            mend="`ocm sync --review` shows them; --accept and --refuse decide.",
        )


def _written_straight(workspace: Workspace, name: str) -> Iterator[Finding]:
    if sources := written_over(workspace.repository, name):
        yield Finding(
            code=Code.FETCH,
            grade=Grade.PROBLEM,
            about=name,
            what=f"`git fetch {name}` writes over the refs of the memory, as in a"
            " mirror: what is not at the remote comes back with the next command,"
            " unless git pruned it before",
            mend=f"`{to_leave_out(name, sources)}` ends that.",
        )


def _pushed_along(workspace: Workspace, name: str) -> Iterator[Finding]:
    git = workspace.repository
    key = f"remote.{name}.mirror"
    what = f"a push to {name} mirrors all refs: it sends memory, and what was said"
    if not is_on(git, key):
        key = f"remote.{name}.push"
        ref = _pushed(git.config_values(key))
        what = f"a push to {name} sends {ref} as well, whatever is chosen here"
        if ref is None:
            return
    yield Finding(
        code=Code.PUSH,
        grade=Grade.PROBLEM,
        about=name,
        what=what,
        mend=f"{key} in git's configuration says so.",
    )


def _pushed(refspecs_of_push: list[str]) -> str | None:
    """Which of our refs goes with a push that names none."""
    sources = [each.lstrip("+").partition(":")[0] for each in refspecs_of_push]
    itself = [each if each.startswith("^") else f"{each}:{each}" for each in sources]
    return next((ref for ref in REFS if sources_of(itself, ref)), None)
