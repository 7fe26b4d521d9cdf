"""The one remote that memory is shared with, as git's configuration says.

Below the actions, because whoever only reads takes in what a plain `git fetch` brought
from there.
"""

from dataclasses import dataclass

from gitmem.errors import InvalidInput
from gitmem.git.config import is_on
from gitmem.git.repository import Repository
from gitmem.store.remote.remote import TRACKING, Remote
from gitmem.store.trees import conversation_tree, session_tree
from gitmem.store.trees.day_tree import FORMAT_FILE
from gitmem.text.patterns import pattern

REMOTE = "ocm.remote"
"""The name of the one remote that memory is shared with; nothing is shared without."""
REMOTE_URL = "ocm.remoteUrl"
"""Another repository than that remote's."""
REMOTE_REF = "ocm.remoteRef"
"""The ref of the sessions there, for hosts that refuse others than branches."""
SHARE_CONVERSATIONS = "ocm.shareConversations"

BRANCH = "refs/heads/ocm/sessions"
"""Where sessions are at hosts that take nothing but branches."""

_NAMELESS = "memory"
"""What a repository is called that is known by its URL alone."""
_BRANCHES = "refs/heads/"
_CONVERSATIONS = "conversations"
_NO_PLACE = ("refs/tags/", "refs/remotes/", "refs/notes/", "refs/pull/")
"""Where a host or git itself keeps something else."""
_USUAL_BRANCHES = {"main", "master", "trunk", "develop"}
# git-check-ref-format(1): no control character, space or ~^:?*[\, no `..`, `@{`, `//`,
# no part that begins with a dot or ends with `.lock`, no `/` or `.` at the end.
_NO_REF_NAME = pattern(
    r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|$)|[/.]$|^[/.-]"
)


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user said of where memory goes."""

    name: str | None
    """Of one of git's remotes."""
    url: str | None = None
    """Of another repository than that remote's."""
    ref: str | None = None
    with_conversations: bool = False


def choice(git: Repository) -> Choice | None:
    """What the configuration says; None where memory is not shared."""
    name, url = git.config(REMOTE), git.config(REMOTE_URL)
    if not name and not url:
        return None
    with_conversations = is_on(git, SHARE_CONVERSATIONS)
    return Choice(name, url, git.config(REMOTE_REF), with_conversations)


def name_of(chosen: Choice) -> str:
    """What the remote is called in tracking refs and messages."""
    return chosen.name or _NAMELESS


def remote_of(git: Repository, chosen: Choice) -> Remote:
    """The remote that is meant. Raises InvalidInput where there can be none."""
    name = name_of(chosen)
    if not _is_ref_name(f"{TRACKING}{name}/sessions") or name.startswith("-"):
        raise InvalidInput(
            f"{name!r} cannot be the name of a remote.", hint=_hint_to(REMOTE)
        )
    return Remote(name, _location(git, chosen), _refs(git, chosen, name))


def _location(git: Repository, chosen: Choice) -> str:
    if chosen.url:
        if chosen.url.startswith("-") or not chosen.url.isprintable():
            raise InvalidInput(
                "The URL of the memory's repository makes no sense.",
                hint=_hint_to(REMOTE_URL),
            )
        return chosen.url
    if chosen.name is None or chosen.name not in (known := git.remotes()):
        names = ", ".join(sorted(known)) if chosen.name and known else ""
        raise InvalidInput(
            f"There is no remote {chosen.name!r}, which memory is shared with.",
            hint=f"There are: {names}. {_ANEW}"
            if names
            else "`git remote add` makes one.",
        )
    return chosen.name


def _refs(git: Repository, chosen: Choice, name: str) -> dict[str, str]:
    at_remote = chosen.ref or session_tree.REF
    _check_ref(git, at_remote, name)
    refs = {session_tree.REF: at_remote}
    if chosen.with_conversations:
        beside = at_remote.rpartition("/")[0]
        refs[conversation_tree.REF] = f"{beside}/{_CONVERSATIONS}"
    return refs


def _check_ref(git: Repository, ref: str, name: str) -> None:
    """Memory must have a place of its own: a branch of the user is none."""
    if not _is_ref_name(ref) or not ref.startswith("refs/"):
        raise InvalidInput(f"{ref!r} is no full name of a ref.", hint=_HINT_TO_REF)
    is_other = ref.startswith(_NO_PLACE) or ref.endswith(f"/{_CONVERSATIONS}")
    if is_other or _is_branch_of_user(git, ref, name):
        raise InvalidInput(f"{ref} is no place for sessions.", hint=_HINT_TO_REF)


def _is_ref_name(name: str) -> bool:
    """As `git check-ref-format NAME`."""
    return "/" in name and not _NO_REF_NAME.search(name)


def _is_branch_of_user(git: Repository, ref: str, name: str) -> bool:
    branch = ref.removeprefix(_BRANCHES)
    if branch == ref:
        return False
    if branch in _USUAL_BRANCHES or branch == git.head().branch:
        return True
    here = git.resolve_ref(ref), git.resolve_ref(f"refs/remotes/{name}/{branch}")
    return any(commit and not _holds_memory(git, commit) for commit in here)


def _holds_memory(git: Repository, commit: str) -> bool:
    """Whether a commit is one of ours: each has the file `format`."""
    tree = git.tree_of(commit)
    return tree is not None and FORMAT_FILE in git.read_tree(tree)


_ANEW = "`ocm share off`, and then `ocm share on REMOTE`, choose another one."
_HINT_TO_REF = (
    f"`git config {REMOTE_REF} {BRANCH}` gives them a branch of their"
    f" own; without {REMOTE_REF} they are at {session_tree.REF}."
)


def _hint_to(key: str) -> str:
    return f"See `git config --show-origin --get-all {key}`."
