"""What sessions decided, tried and left open, recalled beside the memories.

What only a conversation states counts as `said`, beside and never as a decision.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from gitmem.actions.remembering.answering import worth
from gitmem.actions.remembering.corrections import statements_of
from gitmem.actions.remembering.recall import (
    RecalledMemory,
    RecallQuery,
    Recollection,
    recall,
)
from gitmem.actions.remembering.statement import BRANCH, PROJECT
from gitmem.actions.saving.conversation import Caller, conversation_of
from gitmem.documents.kinds import MEMORY, SESSION
from gitmem.documents.memory.memory import IMPORTANCE, Category, Memory
from gitmem.documents.session.index import NAMING
from gitmem.documents.session.session import Session
from gitmem.documents.session.statements import SAID, Statement
from gitmem.errors import GitmemError
from gitmem.indexing import ask_index
from gitmem.redaction.redact import redact
from gitmem.search.documents import Hit, Match
from gitmem.search.index import Index
from gitmem.search.likeness import words_of
from gitmem.search.queries.query import of_words
from gitmem.search.wording import names_subject
from gitmem.store.recall_counts import count_recalls
from gitmem.store.trees.committing import configured_trust, present_branch
from gitmem.text.code_names import names_in
from gitmem.workspace import Workspace

_SESSIONS = 5
"""Sessions whose statements are compared: the index's best hits."""
_CLEAR, _NEAR = 0.6, 0.3
"""The shares of a query's words that a strong and a weak match have."""
_STATED = 0.7
"""Score of a statement with all words of a query, in a memory's scale."""


def names_file(text: str, paths: Iterable[str]) -> bool:
    """Tell whether a text names one of these files."""
    names = _names_of(paths)
    return any(name.casefold() in names for name in names_in(text))


def sessions_naming(index: Index, paths: Iterable[str], limit: int) -> list[Hit]:
    """Return the newest sessions with a statement that names one of these files."""
    if not (labels := tuple(NAMING + name for name in sorted(_names_of(paths)))):
        return []
    return index.search(of_words("", SESSION.name, (labels,)), limit=limit)


def _names_of(paths: Iterable[str]) -> set[str]:
    """Return what a text can call these files, in lower case: the ends of a path."""
    parts = (path.casefold().split("/") for path in paths)
    return {"/".join(words[at:]) for words in parts for at in range(len(words))}


def recall_all(
    workspace: Workspace, query: RecallQuery, caller: Caller
) -> Recollection:
    """Find memories, and statements of sessions, that answer; the best first.

    Asks the model of meanings, too, if the user installed one.
    Memories of the caller's conversation count too.
    What is returned counts as recalled. Raises as `recall` does.
    """
    with suppress(GitmemError):  # one that was forgotten has none
        conversation = conversation_of(workspace, caller)
        query.session = redact(f"session:{conversation.client_session_id}")
    query.by_meaning = True
    is_here = query.scope in (None, BRANCH, PROJECT)
    if is_here and (query.text or query.files) and not query.tags:
        workspace.replay(workspace.store_of(MEMORY))
        workspace.current_sessions()

        def answered(index: Index) -> Recollection:
            stated = _stated(workspace, query, index)
            return recall(workspace, query, index, stated)

        recollection = ask_index(workspace, answered)
    else:
        recollection = recall(workspace, query)
    memory_ids = (
        recalled.memory.id
        for recalled in recollection.memories
        if not recalled.stated_as
    )
    with suppress(OSError):  # a file system may let nobody write
        count_recalls(workspace.own_dir, memory_ids, workspace.now().date())
    return recollection


def _stated(
    workspace: Workspace, query: RecallQuery, index: Index
) -> Iterator[RecalledMemory]:
    tree, git, now = workspace.store.memory(), workspace.repository, workspace.now()
    trust = configured_trust(git)
    branch = present_branch(git) if query.scope == BRANCH else None
    words = words_of(query.text)
    for hit in _hits(index, query):
        session = tree.readable(hit.id)
        if not session or branch not in (None, session.branch):
            continue
        for statement in _asked_for(session, statements_of(hit), query):
            common_words = words & words_of(statement.text)
            share = len(common_words) / len(words) if words else 1.0
            if share == 1 or (share >= _NEAR and any(map(names_subject, common_words))):
                memory = _as_memory(session, statement)
                yield RecalledMemory(
                    memory,
                    _STATED * share * worth(memory, 0, now),
                    Match.STRONG if share >= _CLEAR else Match.WEAK,
                    PROJECT,
                    trust.covers(session.author),
                    stated_as=statement.kind,
                )


def _hits(index: Index, query: RecallQuery) -> Iterable[Hit]:
    """Return the best sessions for the words, and the newest that name a file."""
    hits: list[Hit] = []
    if query.text:
        hits = index.search(of_words(query.text, SESSION.name, ()), limit=_SESSIONS)
    hits += sessions_naming(index, query.files, _SESSIONS)
    return {hit.id: hit for hit in hits}.values()


def _asked_for(
    session: Session, statements: Iterable[Statement], query: RecallQuery
) -> Iterator[Statement]:
    paths = {file.path for file in session.files}
    is_about = not query.files or not paths.isdisjoint(query.files)
    kinds = {*query.kinds, SAID} if "decision" in query.kinds else query.kinds
    for statement in statements:
        is_named = is_about or names_file(statement.text, query.files)
        if is_named and (not kinds or statement.kind in kinds):
            yield statement


def _as_memory(session: Session, stated: Statement) -> Memory:
    """The statement in the form of a memory that nobody kept."""
    is_kind = stated.kind in set(Category)
    kind = Category(stated.kind) if is_kind else Category.FACT
    return Memory(
        id=stated.reference,
        text=stated.text,
        kind=kind,
        importance=IMPORTANCE.get(kind, 0.5),
        created_at=stated.at,
        updated_at=stated.at,
        author=session.author,
        sources=(f"session:{session.id}",),
    )
