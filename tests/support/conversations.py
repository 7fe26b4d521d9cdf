"""What was said in a session, kept as an import keeps it."""

from collections.abc import Iterable
from pathlib import Path

from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.session.session import Session
from gitmem.git.libgit2.repository import open_repository
from gitmem.store.trees.conversation_tree import commit_conversations, text_of


def keep(repository: Path, session: Session, turns: Iterable[Turn]) -> bool:
    """Whether there is a commit for it now."""
    git = open_repository(repository)
    with git.batch() as batch:
        said = commit_conversations(batch, [(session, text_of(turns))])
    assert said.move.is_made(git)
    return bool(said.ids)
