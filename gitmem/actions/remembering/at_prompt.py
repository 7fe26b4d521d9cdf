"""Whether a prompt may be worth recalling for, asked before much is loaded.

Most prompts are answered by no memory, and the index alone can tell. Where it cannot,
as it has yet to learn something, whoever recalls finds out. No repository is opened:
that takes longer than all of this.
"""

from dataclasses import replace
from pathlib import Path

from gitmem.config import Environment
from gitmem.documents.memory.kind import ACTIVE, MEMORY
from gitmem.errors import GitmemError
from gitmem.git.command import RefusedError, answer_in
from gitmem.git.layout import own_dir
from gitmem.search.queries.query import Query, of_words
from gitmem.store.journal.journal import journal_of

MOST_LINES = 3
"""Memories that a prompt is told."""
LOOKED_AT = 3
"""Times as many hits as are asked for are looked at."""


def may_be_answered(
    environment: Environment, root: Path, common_dir: Path, prompt: str
) -> bool:
    """Return False where no memory clearly answers a prompt, in any place."""
    query = of_words(prompt.strip(), MEMORY.name, ((ACTIVE,),))
    if not query.words:
        return False
    spaces = (environment.home / "spaces").glob("*.git")
    try:
        return _may_answer(environment, root, common_dir, query) or any(
            _may_answer(environment, None, space, query) for space in spaces
        )
    except (GitmemError, RefusedError, OSError):
        return True


def _may_answer(
    environment: Environment, root: Path | None, common_dir: Path, query: Query
) -> bool:
    """`root` is the work tree whose branch counts; a space has none."""
    if next(journal_of(common_dir, MEMORY).unreplayed(), None) is not None:
        return True
    named = ("rev-parse", "--quiet", "--verify", MEMORY.ref)
    tip = _answer(environment, common_dir, f"--git-dir={common_dir}", *named)
    if not tip:
        return False
    from gitmem.search.documents import Match  # loads Tantivy
    from gitmem.search.folder import UnusableError, opened
    from gitmem.search.index import Index

    try:
        found = opened(common_dir / "ocm-index")
    except UnusableError:
        return True
    index = Index(found, None, own_dir(common_dir) / "index.lock")
    if f"{MEMORY.name}={tip}" not in (index.tip or "").split(";"):
        return True
    if root:
        head = _answer(environment, root, "symbolic-ref", "--quiet", "HEAD")
        branches = {"", head.removeprefix("refs/heads/")}
        here = tuple(f"branch:{each}" for each in branches)
        query = replace(query, labels=(*query.labels, here))
    hits = index.search(query, limit=MOST_LINES * LOOKED_AT)
    return any(hit.match is Match.STRONG for hit in hits)


def _answer(environment: Environment, folder: Path, *question: str) -> str:
    """Return what git says, "" where it says no. Raises RefusedError where it fails."""
    try:
        said = answer_in(folder, [*question], environment.variables)
        return said.decode("utf-8", "replace").strip()
    except RefusedError as refused:
        if refused.status == 1:
            return ""
        raise
