"""What was said in a session, kept as an import keeps it."""

from collections.abc import Iterable
from pathlib import Path

from gitmem.model.conversation import Turn
from gitmem.model.session import Session
from gitmem.store.git.libgit2.repository import open_repository
from gitmem.store.trees.conversations import commit_said, text_of


def keep(repository: Path, session: Session, turns: Iterable[Turn]) -> bool:
    """Whether there is a commit for it now."""
    git = open_repository(repository)
    with git.batch() as batch:
        said = commit_said(batch, [(session, text_of(turns))])
    assert said.move.is_made(git)
    return bool(said.ids)
