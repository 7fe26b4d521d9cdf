"""The one remote that memory is shared with, and how to talk to it, as values.

Git's configuration names it, and has our refspecs, by which `git fetch` brings memory.
"""

import shlex
from collections.abc import Iterable, Mapping

from gitmem.documents.kinds import KINDS, SESSION, refs
from gitmem.errors import InvalidInput
from gitmem.frozen import frozen
from gitmem.git.config import add_config, is_on, remove_config, sources_of
from gitmem.git.layout import OUR_REFS
from gitmem.git.repository import Repository
from gitmem.store.remote.watched_git import Notify, ignore_progress
from gitmem.store.trees import session_tree
from gitmem.store.trees.committing import REMOTE, REMOTE_URL
from gitmem.text.patterns import pattern

REMOTE_REF = "ocm.remoteRef"
"""The ref of the sessions there, for hosts that refuse others than branches."""
SHARE_CONVERSATIONS = "ocm.shareConversations"

BRANCH = "refs/heads/ocm/sessions"
"""The branch for sessions at hosts that accept branches alone."""
TRACKING = f"{OUR_REFS}remotes/"
"""Below it are the tracking refs, of each remote in a folder with its name."""
INBOX = f"{OUR_REFS}inbox/"

_PLACE = pattern(rf"{session_tree.REF}|refs/heads/(?:.+/)?ocm/sessions")
"""No branch of the user: what is pushed there is the memory alone."""
# git-check-ref-format(1): no control character, space or ~^:?*[\, no `..`, `@{`, `//`,
# no part that begins with a dot or ends with `.lock`, no `/` or `.` at the end.
_NO_REF_NAME = pattern(
    r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|$)|[/.]$|^[/.-]"
)


@frozen
class Remote:
    name: str
    """Ours, for the tracking refs: that of git's remote, where it is one."""
    location: str
    """The name of a remote or a URL, as git takes it."""
    refs: Mapping[str, str]
    """Names of our refs at the remote."""

    def tracking(self, ref: str) -> str:
        """`refs/ocm/remotes/<name>/sessions` for `refs/ocm/sessions`."""
        return f"{TRACKING}{self.name}/{ref.removeprefix(OUR_REFS)}"

    def inbox(self, ref: str) -> str | None:
        """Return the prefix of the refs there for what lost the race for a ref of ours.

        None where the host takes branches alone.
        """
        kind = ref.removeprefix(OUR_REFS)
        return f"{INBOX}{kind}/" if self.refs[ref].startswith(OUR_REFS) else None

    def tracked_inbox(self, ref: str) -> str:
        """Return the prefix of their tracking refs."""
        return f"{TRACKING}{self.name}/inbox/{ref.removeprefix(OUR_REFS)}/"

    @property
    def inboxes(self) -> list[str]:
        """Refspecs that fetch what waits there."""
        inboxes = {ref: self.inbox(ref) for ref in self.refs}
        return [
            f"+{at}*:{self.tracked_inbox(ref)}*" for ref, at in inboxes.items() if at
        ]


@frozen
class TransportOptions:
    """The patience with which a remote is talked to, and who hears what it says."""

    patience: float
    """Seconds that one command may take, unless it may ask."""
    may_ask: bool = False
    """Whether a person is at a terminal: git may ask there for a password, and takes
    the time that it takes, as the person can end it."""
    notify: Notify = ignore_progress


@frozen
class Choice:
    """Where memory goes, as the user configured it."""

    name: str | None
    """The name of one of git's remotes."""
    url: str | None = None
    """URL of a repository other than that remote's."""
    ref: str | None = None
    with_conversations: bool = False

    @property
    def called(self) -> str:
        """What the remote is called in tracking refs and messages."""
        return self.name or "memory"


def choice(git: Repository) -> Choice | None:
    """Read the configuration; None where memory is not shared."""
    name, url = git.config(REMOTE), git.config(REMOTE_URL)
    if not name and not url:
        return None
    with_conversations = is_on(git, SHARE_CONVERSATIONS)
    return Choice(name, url, git.config(REMOTE_REF), with_conversations)


def remote_of(git: Repository, chosen: Choice) -> Remote:
    """Return the remote that is meant. Raises InvalidInput where there can be none."""
    name = chosen.called
    if not _is_ref_name(f"{TRACKING}{name}/sessions") or name.startswith("-"):
        raise InvalidInput(
            f"{name!r} cannot be the name of a remote.", hint=_hint_to(REMOTE)
        )
    at_remote = chosen.ref or session_tree.REF
    location = _location(git, chosen)
    if not (_is_ref_name(at_remote) and _PLACE.fullmatch(at_remote)):
        raise InvalidInput(
            f"{at_remote!r} is no place for sessions.",
            hint=f"They are at {session_tree.REF}, or at a branch whose name ends in"
            f" `ocm/sessions`, such as {BRANCH}.",
        )
    beside = at_remote.rpartition("/")[0]
    refs = {
        kind.ref: f"{beside}/{kind.root}"
        for kind in KINDS.values()
        if kind.parent is None or chosen.with_conversations
    }
    return Remote(name, location, {**refs, SESSION.ref: at_remote})


def fetched_from(git: Repository, name: str) -> list[str]:
    """Return the refspecs by which `git fetch NAME` fetches, ours and the user's."""
    return git.config_values(_key(name))


def require_no_overwriting(git: Repository, names: Iterable[str]) -> None:
    """Raise InvalidInput if `git fetch NAME` writes straight into our refs.

    What was saved here and is not at the remote would leave them, as in a mirror.
    """
    for name in names:
        fetched = fetched_from(git, name)
        if sources := {source for ref in refs() for source in sources_of(fetched, ref)}:
            raise InvalidInput(
                f"`git fetch {name}` writes over the refs of the memory.",
                hint=f"`{_to_leave_out(name, sources)}` excludes them.",
            )


def add_refspecs(git: Repository, remote: Remote) -> None:
    """Have `git fetch` bring our refs from a remote of git's; raises as add_config."""
    # Patterns: a source that is not there yet would be an error for `git fetch`.
    ours = [f"+{at}*:{remote.tracking(ref)}*" for ref, at in remote.refs.items()]
    for refspec in (*ours, *remote.inboxes):
        add_config(git, _key(remote.name), refspec)


def remove_refspecs(git: Repository, name: str) -> None:
    """Have `git fetch` bring no refs of ours any more. Raises as remove_config.

    Git keeps a refspec with a remote that it gives another name, so this looks at all.
    """
    for remote_name in {name, *git.remotes()}:
        for refspec in fetched_from(git, remote_name):
            if refspec.rpartition(":")[2].startswith(TRACKING):
                remove_config(git, _key(remote_name), refspec)


def _location(git: Repository, chosen: Choice) -> str:
    if url := chosen.url:
        if url.startswith("-") or not url.isprintable():
            raise InvalidInput(
                "The URL of the memory's repository makes no sense.",
                hint=_hint_to(REMOTE_URL),
            )
        return url
    if chosen.name and chosen.name in git.remotes():
        return chosen.name
    names = ", ".join(sorted(git.remotes()))
    raise InvalidInput(
        f"There is no remote {chosen.name!r}, which memory is shared with.",
        hint=f"There are: {names}. `ocm share off`, and then `ocm share on REMOTE`,"
        " choose another one."
        if names
        else "`git remote add` makes one.",
    )


def _to_leave_out(name: str, sources: Iterable[str]) -> str:
    patterns = {f"{OUR_REFS}*" if s.startswith(OUR_REFS) else s for s in sources}
    key = shlex.quote(_key(name))
    return " && ".join(
        f"git config --add {key} {shlex.quote(f'^{refspec}')}"
        for refspec in sorted(patterns)
    )


def _is_ref_name(name: str) -> bool:
    """Check a name as `git check-ref-format NAME`."""
    return "/" in name and not _NO_REF_NAME.search(name)


def _hint_to(key: str) -> str:
    return f"See `git config --show-origin --get-all {key}`."


def _key(name: str) -> str:
    return f"remote.{name}.fetch"
