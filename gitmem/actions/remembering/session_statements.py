"""What sessions decided, tried and left open, recalled beside the memories."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from gitmem.actions.reading.catch_up import ask_index
from gitmem.actions.remembering.recall import (
    Recalled,
    Recollection,
    Wanted,
    best_of,
    recall,
    worth,
)
from gitmem.actions.remembering.statement import BRANCH, PROJECT
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.actions.saving.request import Request
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.memory import IMPORTANCE, Category, Memory
from gitmem.documents.session.session import Session, Statement, statements
from gitmem.errors import GitmemError
from gitmem.search.documents import Match
from gitmem.search.index import Index
from gitmem.search.likeness import words_of
from gitmem.search.queries.query import of_words
from gitmem.store.reads import note_recalled
from gitmem.store.trees.committing import circle_in
from gitmem.workspace import Workspace

_SESSIONS = 5
"""That are looked into: the best of the index."""
_CLEAR, _NEAR = 0.6, 0.3
"""The shares of a query's words that a strong and a weak match have."""
_STATED = 0.7
"""What a statement that has all words of a query counts beside a memory's score."""


def recall_all(
    workspace: Workspace, asked: Wanted, caller: Caller | None = None
) -> Recollection:
    """Find memories, and statements of sessions, that answer; the best first.

    Memories of the caller's conversation count too.
    What is returned counts as recalled. Raises as `recall` does.
    """
    with suppress(GitmemError):  # one that was forgotten has none
        conversation = conversation_of(workspace, Request(), caller or Caller())
        asked.session = f"session:{conversation.client_session_id}"
    is_here = asked.scope in (None, BRANCH, PROJECT)
    if is_here and asked.text and not asked.tags:  # a session is found by words
        workspace.replay(workspace.store_of(MEMORY))
        workspace.current_sessions()

        def answered(index: Index) -> Recollection:
            found = recall(workspace, asked, index)
            stated = _stated(workspace, asked, index)
            return replace(found, found=(*found.found, *stated))

        found = ask_index(workspace, answered)
    else:
        found = recall(workspace, asked)
    best = best_of(found.found, asked)
    ids = (each.memory.id for each in best if not each.stated_as)
    with suppress(OSError):  # a file system may let nobody write
        note_recalled(workspace.own_dir, ids, workspace.now().date())
    return replace(found, found=best)


def _stated(workspace: Workspace, asked: Wanted, index: Index) -> Iterator[Recalled]:
    tree, git, now = workspace.store.memory(), workspace.repository, workspace.now()
    own, branch = circle_in(git), git.head().branch if asked.scope == BRANCH else None
    query, words = of_words(asked.text, SESSION.name, ()), words_of(asked.text)
    hits = index.search(query, limit=_SESSIONS)
    for session in filter(None, (tree.readable(hit.id) for hit in hits)):
        for each in _asked_for(session, asked, branch):
            share = len(words & words_of(each.text)) / max(len(words), 1)
            if share >= _NEAR:
                memory = _as_memory(session, each)
                yield Recalled(
                    memory,
                    _STATED * share * worth(memory, 0, now),
                    Match.STRONG if share >= _CLEAR else Match.WEAK,
                    PROJECT,
                    own.trusts(session.author),
                    stated_as=each.kind,
                )


def _asked_for(
    session: Session, asked: Wanted, branch: str | None
) -> Iterator[Statement]:
    paths = {file.path for file in session.files}
    is_about = not asked.files or not paths.isdisjoint(asked.files)
    if is_about and branch in (None, session.branch):
        for each in statements(session):
            if not asked.kinds or each.kind in asked.kinds:
                yield each


def _as_memory(session: Session, stated: Statement) -> Memory:
    """The statement in the form of a memory that nobody kept."""
    is_kind = stated.kind in set(Category)
    kind = Category(stated.kind) if is_kind else Category.FACT
    return Memory(
        id=stated.reference,
        text=stated.text,
        kind=kind,
        importance=IMPORTANCE.get(kind, 0.5),
        created_at=session.started_at,
        updated_at=session.updated_at,
        author=session.author,
        sources=(f"session:{session.id}",),
    )
