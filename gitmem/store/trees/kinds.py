"""The trees of texts there are: of sessions, and of what was said in them."""

from gitmem.store.trees.conversations import ConversationTree
from gitmem.store.trees.day_tree import DayTree
from gitmem.store.trees.memory import Memory

KINDS: tuple[type[DayTree], ...] = (Memory, ConversationTree)
"""Each is on a ref of its own, and both may be shared."""
