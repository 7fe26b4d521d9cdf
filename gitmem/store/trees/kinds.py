"""The trees of texts there are: of sessions, and of what was said in them."""

from gitmem.git.repository import Repository
from gitmem.store.trees.conversation_tree import ConversationTree
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.ref_backup import backups_of, folder
from gitmem.store.trees.session_tree import SessionTree

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
