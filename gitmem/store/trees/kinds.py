"""The kinds of documents, their refs, and the backups of these.

`refs/ocm/backup/<kind>/<date>` is the first state of a day before its ref took in what
came from elsewhere. Backups are in this clone alone: no refspec of ours has them.
"""

from datetime import datetime

from gitmem.git.layout import OUR_REFS
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.session_tree import SessionTree

BACKUP = f"{OUR_REFS}backup/"
_MOST_DAYS = 7
"""That are kept of each ref: days on which it took something in."""


def back_up(git: Repository, ref: str, commit: Oid, when: datetime) -> None:
    """Keep the state of a ref, unless there is one of that day; the oldest ones go."""
    name = f"{folder(ref)}{when:%Y-%m-%d}"
    if git.resolve_ref(name) is None:
        git.update_ref(name, None, commit, "backup")
        for old in backups_of(git, ref)[_MOST_DAYS:]:
            git.delete_ref(old)


def backups_of(git: Repository, ref: str) -> list[str]:
    """Names of the backups of a ref, the newest first."""
    return sorted(git.refs(folder(ref)), reverse=True)


def folder(ref: str) -> str:
    """Below it are its backups: `refs/ocm/backup/sessions/` for `refs/ocm/sessions`."""
    return f"{BACKUP}{ref.removeprefix(OUR_REFS)}/"


KINDS: tuple[type[DayTree], ...] = (SessionTree, ConversationTree)
"""Each is on a ref of its own, and both may be shared."""

REFS = tuple(kind.ref for kind in KINDS)


def kind_of(ref: str) -> type[DayTree]:
    """Of a ref of ours, or of a backup of it."""
    is_said = ref == ConversationTree.ref or ref.startswith(
        folder(ConversationTree.ref)
    )
    return ConversationTree if is_said else SessionTree


def refs_of(git: Repository, kind: type[DayTree]) -> list[str]:
    """Those of its backups, and then its own."""
    return [*backups_of(git, kind.ref), kind.ref]
