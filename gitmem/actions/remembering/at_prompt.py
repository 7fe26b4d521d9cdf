"""What clearly answers a prompt, found without opening a workspace.

That takes longer than all of this. Where an index has yet to learn something, whoever
opens one finds out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.actions.remembering.recall import (
    Looking,
    Recalled,
    Wanted,
    best_of,
    hits_of,
    recall,
)
from gitmem.actions.remembering.statement import PROJECT, in_one_line
from gitmem.config import Environment, current_time
from gitmem.documents.memory.kind import MEMORY
from gitmem.errors import GitmemError
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.layout import own_dir
from gitmem.search.documents import Hit, Match
from gitmem.search.folder import UnusableError, opened
from gitmem.search.index import Index
from gitmem.search.queries.query import of_words
from gitmem.store.journal.journal import journal_of

if TYPE_CHECKING:
    from gitmem.workspace import Workspace

_MOST = 3
"""Memories that a prompt is told."""
_TIP = ("rev-parse", "--revs-only", MEMORY.ref)
"""Prints nothing, and is no failure, where there is no such ref."""


class _BehindError(Exception):
    """An index has yet to learn something, or the branch has no commit."""


@dataclass
class AtPrompt:
    """Somebody at a prompt in a work tree."""

    environment: Environment
    root: Path
    common_dir: Path
    prompt: str

    def __post_init__(self) -> None:
        self._asked = Wanted(self.prompt, limit=_MOST)

    def lines(self, opened_workspace: Callable[[], "Workspace"]) -> list[str]:
        """Return a line for each of the user's own memories that clearly answers."""
        if not of_words(self._asked.text, MEMORY.name, ()).words:
            return []
        try:
            found = best_of(self._found_everywhere(), self._asked)
        except (_BehindError, UnusableError, GitmemError, RefusedError, OSError):
            found = recall(opened_workspace(), self._asked).found
        clear = (each.memory for each in found if each.is_own and _is_strong(each))
        return [in_one_line(each.kind, each.title, each.id) for each in clear]

    def _found_everywhere(self) -> list[Recalled]:
        spaces = sorted(self.environment.spaces.glob("*.git"))
        of_spaces = (self._found(space.stem, space) for space in spaces)
        return [*self._found(PROJECT, self.common_dir), *chain(*of_spaces)]

    def _found(self, scope: str, there: Path) -> list[Recalled]:
        """Raises _BehindError, UnusableError, and as git does."""
        if next(journal_of(there, MEMORY).unreplayed(), None) is not None:
            raise _BehindError
        is_space = there != self.common_dir
        tip, branch = self._tip_of(there) if is_space else self._tip_and_branch()
        if not tip:
            return []
        index = Index(opened(there / "ocm-index"), None, own_dir(there) / "index.lock")
        if f"{MEMORY.name}={tip}" not in (index.tip or "").split(";"):
            raise _BehindError
        hits = hits_of(index, self._asked, branch)
        if not (strong := [*filter(_is_strong, hits)]):
            return []
        return self._looking(scope, there, tip).found(index, strong)

    def _looking(self, scope: str, there: Path, tip: str) -> Looking:
        from gitmem.git.opening import open_known  # most prompts read nothing
        from gitmem.store.trees.document_tree import DocumentTree

        variables = self.environment.variables
        git = there_git = open_known(self.common_dir, self.root, variables)
        if there != self.common_dir:
            there_git = open_known(there, None, variables)
        tree = DocumentTree(MEMORY, there_git, tip)
        return Looking(self._asked, scope, tree, git, there_git, current_time())

    def _tip_of(self, space: Path) -> tuple[str, None]:
        return self._git(space, f"--git-dir={space}", *_TIP), None

    def _tip_and_branch(self) -> tuple[str, str]:
        """Return the tip and the branch of the work tree, "" for none."""
        said = self._git(self.root, *_TIP, "--symbolic-full-name", "HEAD")
        tip, _, head = said.partition("\n")
        if tip and not head:
            raise _BehindError
        return tip, "" if head == "HEAD" else head.removeprefix("refs/heads/")

    def _git(self, folder: Path, *question: str) -> str:
        """Return what git says. Raises RefusedError."""
        said = answer_in(folder, [*question], self.environment.variables)
        return said.decode("utf-8", "replace").strip()


def _is_strong(found: Recalled | Hit) -> bool:
    return found.match is Match.STRONG
