"""Remove what remains of forgotten sessions beside their documents.

Tombstones come with every merge, and forgetting may be interrupted. So this is done
whenever the tombstones have changed, by them alone. The search index is deleted as a
whole: `Workspace.drop_traces`.
"""

import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.session.record import owner_in
from gitmem.frozen import frozen
from gitmem.git.files import read_text, replace_file
from gitmem.git.layout import own_dir
from gitmem.git.odb.packs import release
from gitmem.git.repository import Repository
from gitmem.redaction.redact import redact_own
from gitmem.store.error_log import drop_lines
from gitmem.store.forgetting.removal import SUBJECT
from gitmem.store.journal.journal import Journal
from gitmem.store.readable_copies import remove_copies
from gitmem.store.trees.committing import RefUpdate, author, in_some_try
from gitmem.store.trees.document_tree import tree_at_tip
from gitmem.store.trees.notes import drop_sessions
from gitmem.store.trees.session_tree import SessionTree, is_conversation_forgotten
from gitmem.store.trees.tombstones import (
    all_tombstones,
    is_name_gone,
    remembers,
    with_history,
)
from gitmem.text.patterns import pattern

_ID = pattern(r"\d{4}-\d\d-\d\d_\d\d-\d\d_[a-z0-9.-]+_[a-z0-9-]+", re.ASCII)


@frozen
class Traces:
    """Of the sessions that the tombstones of a memory are about."""

    git: Repository
    memory: SessionTree
    journal: Journal
    copies: Iterable[Path]
    """Folders in which there may be readable copies."""
    when: datetime

    def are_left(self) -> bool:
        """Return whether nobody looked for them since there are these tombstones."""
        now = all_tombstones(self.memory)
        return now is not None and now != read_text(self._file)

    def take_away(self, *, from_history: bool = False) -> None:
        """Remove all traces, under the lock of whoever writes our refs.

        With `from_history` the notes on commits lose their history as well. Raises
        OSError, NoPermission, Busy and Damaged: then it is done again the next time.
        """
        tombstones = all_tombstones(self.memory)
        if with_history(self.memory) and not from_history:
            release(self.git.common_dir)  # whoever rewrites history did so before
        self._drop_journals()
        in_some_try(self.git, CONVERSATION.ref, self._without_conversations)
        for folder in self.copies:
            remove_copies(folder, self._is_gone, self.git.variables)
        by = author(self.git, self.when)
        drop_sessions(self.git, self._is_gone, by, from_history=from_history)
        drop_lines(self.git.common_dir, self._names_one)
        if tombstones:
            replace_file(self._file, tombstones.encode())

    def _drop_journals(self) -> None:
        for name in self.journal.names():
            marked = self.journal.position_of(name).document_id
            if (marked and self._is_gone(marked)) or self._is_of_forgotten(name):
                self.journal.forget(name)

    def _is_of_forgotten(self, journal: str) -> bool:
        last = owner_in(reversed(self.journal.lines(journal)))
        return last is not None and is_conversation_forgotten(
            self.memory, last.tool, last.client_session_id
        )

    def _without_conversations(self) -> bool | None:
        """Remove conversations of forgotten sessions; None if the ref moved meanwhile.

        Earlier commits go where they are not to have it, either; nobody reads them.
        """
        tree = tree_at_tip(CONVERSATION, self.git)
        paths = [
            tree.path(document_id)
            for document_id in tree.ids()
            if self._is_gone(document_id)
        ]
        is_given_up = remembers(self.git, tree, None, with_history(self.memory))
        if not paths and not is_given_up:
            return True
        now = self.git.write_tree(tree.tree, dict.fromkeys(paths))
        parents = [tree.commit] if tree.commit and not is_given_up else []
        message, by = redact_own(f"{SUBJECT}\n"), author(self.git, self.when)
        commit = self.git.create_commit(now, parents, message, by)
        move = RefUpdate(CONVERSATION.ref, tree.commit, commit, "forget")
        return True if move.is_made(self.git) else None

    def _is_gone(self, name: str) -> bool:
        return is_name_gone(self.memory, name)

    def _names_one(self, line: str) -> bool:
        return any(map(self._is_gone, _ID.findall(line)))

    @property
    def _file(self) -> Path:
        """The name of the tombstones' tree when this was last done."""
        return own_dir(self.git.common_dir) / "forgotten"
