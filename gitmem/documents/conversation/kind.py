"""Conversations as a kind of documents: each has the id of its session."""

from datetime import UTC, datetime

from gitmem.documents.conversation.conversation import Turn, parse, render
from gitmem.documents.kind import Kind
from gitmem.documents.session.identity import document_path, is_session_id
from gitmem.documents.session.kind import SESSION

Turns = tuple[Turn, ...]


class ConversationKind(Kind[Turns]):
    name, ref, root = "conversation", "refs/ocm/conversations", "conversations"
    most_bytes = 5_000_000
    """More than one has that is cut to its length, written as Markdown, of which no
    character takes more than eight. A remote may refuse a larger file."""
    folders, parent, format = SESSION.folders, SESSION, SESSION.format

    is_id = staticmethod(is_session_id)
    render = staticmethod(render)

    def path(self, document_id: str) -> str:
        return document_path(document_id, self.root)

    def parse(self, document_id: str, text: str) -> Turns:
        return parse(text)

    def identity(self, document_id: str) -> str:
        return SESSION.identity(document_id)

    def began_at(self, document: Turns) -> datetime:
        times = (turn.at for turn in document if turn.at)
        return next(times, datetime.min.replace(tzinfo=UTC))

    def merge(self, one: Turns, other: Turns) -> Turns:
        """The longer one: a transcript may have but a part of a conversation."""
        return max(one, other, key=lambda turns: (len(text := render(turns)), text))


CONVERSATION = ConversationKind()
