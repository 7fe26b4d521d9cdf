"""The sessions at a commit."""

from gitmem.documents.session.kind import SESSION
from gitmem.documents.session.session import Session
from gitmem.git.repository import Objects
from gitmem.git.values import Oid
from gitmem.store.trees.document_tree import DocumentTree, tree_at_tip
from gitmem.store.trees.tombstones import is_forgotten

REF = SESSION.ref
SessionTree = DocumentTree[Session]


def sessions_at(git: Objects, commit: Oid | None) -> SessionTree:
    """Raises Damaged and FormatTooNew, as each tree does when it is made."""
    return DocumentTree(SESSION, git, commit)


def sessions_at_tip(git: Objects, last: SessionTree | None = None) -> SessionTree:
    return tree_at_tip(SESSION, git, last)


def is_conversation_forgotten(
    memory: SessionTree, tool: str, client_session_id: str
) -> bool:
    """Whether the session of a conversation was forgotten, whatever its id was."""
    subject = SESSION.subject_of_conversation(tool, client_session_id)
    return subject is not None and is_forgotten(memory, subject)
