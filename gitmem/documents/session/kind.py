"""Sessions as a kind of documents."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime

from gitmem.documents import header
from gitmem.documents.kind import Kind
from gitmem.documents.session import index, merging
from gitmem.documents.session.identity import (
    ROOT,
    conversation_subject,
    digest_in,
    document_path,
    is_session_id,
    subject_digest,
    tool_in,
)
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.rendering import DOCUMENT_LIMIT, FORMAT, ROOM, render
from gitmem.documents.session.session import Session, items_of, without_items

_TELLING = 8
"""Characters of a client's id that a message does not have by chance."""
_NAMING = frozenset({"session_id", "client_session_id"})


class SessionKind(Kind[Session]):
    name, ref, root = "session", "refs/ocm/sessions", ROOT
    format, most_bytes, room = FORMAT, DOCUMENT_LIMIT, ROOM
    folders = tuple(map(re.compile, (r"\d{4}", r"\d\d", r"\d\d")))
    """Years, months, and days: a checkpoint writes small trees anew."""

    is_id = staticmethod(is_session_id)
    path = staticmethod(document_path)
    parse = staticmethod(parse)
    render = staticmethod(render)
    merge = staticmethod(merging.merged)
    entry = staticmethod(index.entry)

    def began_at(self, document: Session) -> datetime:
        return document.started_at

    def worked_at(self, document: Session) -> datetime:
        return document.updated_at

    def moment_in(self, document_id: str) -> str:
        return document_id[: len("YYYY-MM-DD_HH-MM")]

    def identity(self, document_id: str) -> str:
        return digest_in(document_id) or document_id

    def is_authentic(self, document_id: str, text: str) -> bool:
        subject = self.subject_in(document_id, text)
        return digest_in(document_id) == subject_digest(subject)

    def public_id(self, document: Session) -> str:
        return document.session_id

    def public_id_in(self, document_id: str, text: str) -> str:
        session_id = _naming(text).get("session_id", "")
        return session_id if is_session_id(session_id) else document_id

    def names(self, document: Session) -> tuple[str, ...]:
        return (document.id, document.session_id, *document.former_ids)

    def mentions(self, document: Session) -> tuple[str, ...]:
        client_id = document.client_session_id
        is_telling = len(client_id) >= _TELLING
        return (*self.names(document), *([client_id] if is_telling else []))

    def subject(self, document: Session) -> str:
        return _subject(document.id, document.client_session_id, document.session_id)

    def subject_in(self, document_id: str, text: str) -> str:
        client_id = _naming(text).get("client_session_id", "")
        return _subject(document_id, client_id, self.public_id_in(document_id, text))

    def items(self, document: Session) -> Iterator[tuple[str, str]]:
        for item in items_of(document):
            yield item_subject(document, item), item

    def without_items(
        self, document: Session, is_gone: Callable[[str], bool]
    ) -> Session:
        return without_items(
            document, lambda item: is_gone(item_subject(document, item))
        )


SESSION = SessionKind()


def item_subject(session: Session, item: str) -> str:
    """Return what a tombstone names an item of a session by."""
    conversation = session.client_session_id or session.session_id
    return f"{tool_in(session.id)}\0{conversation}\0{item}"


def _subject(document_id: str, client_id: str, session_id: str) -> str:
    """Return what names a session: its conversation, or itself without a client id.

    The assistant is that of the id: the header's may have been corrected since.
    """
    return conversation_subject(tool_in(document_id), client_id) or session_id


def _naming(text: str) -> Mapping[str, str]:
    return header.read(parts(text)[0], _NAMING).values
