"""Conversations in full, on a ref of their own.

They help to find a session. Who pushes sessions does not push conversations, so they
are no part of the sessions' tree.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gitmem.documents.conversation.conversation import (
    LENGTH,
    TURN_LENGTH,
    Turn,
    capped,
    length_of,
    render,
)
from gitmem.documents.conversation.kind import CONVERSATION, Turns
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Content, TreeChanges
from gitmem.redaction.redact import Redacted, redact_own, seal
from gitmem.store.trees.committing import RefUpdate, author, commit_on
from gitmem.store.trees.document_tree import DocumentTree, tree_at_tip

REF = CONVERSATION.ref

_LOOKED_AT = 2
"""How many times the length that is kept is looked at: redacted text is shorter."""

ConversationTree = DocumentTree[Turns]
"""What both sides said in the sessions of a repository, as far as it is known."""


@frozen
class ConversationCommit:
    """What was said, in a commit that no ref leads to yet."""

    move: RefUpdate
    ids: frozenset[str]
    """Ids of the sessions whose conversation grew."""


def text_of(turns: Iterable[Turn]) -> Redacted:
    """Render the turns, redacted and capped; empty for none."""
    return seal(tuple(_looked_at(turns)), lambda clean: render(capped(clean)))


def commit_conversations(
    git: Repository, texts: Iterable[tuple[Session, Redacted]]
) -> ConversationCommit:
    """Commit what was said in sessions, in place of what is kept of them.

    Under the ids that the sessions have now. Where more is kept, that stays; so
    transcripts that know different parts of a conversation do not take turns. No commit
    where that changes nothing.
    """
    tree = tree_at_tip(CONVERSATION, git)
    latest = {session.id: (session, text) for session, text in texts if text}
    changes: dict[str, Content] = {}
    saved_sessions = []
    for session, text in latest.values():
        if session_changes := _changes(tree, session, text):
            changes |= session_changes
            saved_sessions.append(session)
    if not saved_sessions:
        return ConversationCommit(
            RefUpdate(REF, tree.commit, tree.commit, ""), frozenset()
        )
    summary = (
        saved_sessions[0].id
        if len(saved_sessions) == 1
        else f"{len(saved_sessions)} sessions"
    )
    by = author(git, max(session.updated_at for session in saved_sessions))
    message = redact_own(f"conversation: {summary}\n")
    commit = commit_on(git, tree, changes, message, by)
    move = RefUpdate(REF, tree.commit, commit, f"keep: {summary}")
    return ConversationCommit(move, frozenset(session.id for session in saved_sessions))


def _changes(tree: ConversationTree, session: Session, text: Redacted) -> TreeChanges:
    """Return the new file; nothing where a longer text is kept already."""
    present_id = tree.id_like(session.id) or session.id
    if len(tree.readable_text(present_id) or "") >= len(text):
        return {}
    return {tree.path(present_id): text}


def _looked_at(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield the turns that can be kept once they are redacted.

    Of text without end only so much is looked at; a cut word may be half a secret, and
    is left out.
    """
    room = _LOOKED_AT * LENGTH
    for turn in turns:
        text = turn.text[: min(room, _LOOKED_AT * TURN_LENGTH)]
        if len(text) < len(turn.text):
            text = text[: max(map(text.rfind, " \t\n")) + 1]
        if text.strip():
            yield replace(turn, text=text)
        room -= length_of(replace(turn, text=text))
        if room <= 0:
            return
