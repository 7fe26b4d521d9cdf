"""Sessions as a kind of documents."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from gitmem.documents import header
from gitmem.documents.kind import Kind
from gitmem.documents.session import index, merging
from gitmem.documents.session.identity import (
    ROOT,
    document_path,
    is_session_id,
    slug_of,
)
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.rendering import DOCUMENT_LIMIT, FORMAT, ROOM, render
from gitmem.documents.session.session import Session, items_of, without_items
from gitmem.text.control_characters import UNSEEN
from gitmem.text.patterns import pattern

_TELLING = 8
"""Characters of a client's id that a message does not have by chance."""
_NAMING = frozenset({"tool", "client_session_id"})


AHEAD = timedelta(days=1)
"""So far a clock may be ahead of ours: more than time zones make up."""

_HUGE = 1_000_000
"""Bytes: more than a session ever has."""
_CLAIM = pattern(
    r"^(session_id|started_at|updated_at)[ \t]*:[ \t]*[\"']?([^\"'\s]*)", re.MULTILINE
)


def inconsistencies(document_id: str, content: bytes, now: datetime) -> list[str]:
    """What a person is told of the document of a session: such as `is not UTF-8`."""
    decoded = content.decode("utf-8", "replace")
    text = decoded.removeprefix("\ufeff")
    head, _ = parts(text)
    claims = dict(_CLAIM.findall(head))
    began = claims.get("started_at", document_id)
    times = [header.time_in(claims.get(key)) for key in ("started_at", "updated_at")]
    found = {
        "is not UTF-8": decoded.encode() != content,
        "has characters that are not seen": UNSEEN.search(text.replace("\r\n", "\n")),
        "claims another id": claims.get("session_id", document_id) != document_id,
        "says it began on another day": began[:10] != document_id[:10],
        "says it is of the future": any(t and t > now + AHEAD for t in times),
        f"has more than {_HUGE:,} bytes": len(content) > _HUGE,
    }
    return [what for what, is_so in found.items() if is_so]


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
    merge_all = staticmethod(merging.settled)
    completed = staticmethod(merging.completed)
    slug = staticmethod(slug_of)
    stem = staticmethod(merging.stem_of)
    entry = staticmethod(index.entry)
    inconsistencies = staticmethod(inconsistencies)

    def began_at(self, document: Session) -> datetime:
        return document.started_at

    def moment_in(self, document_id: str) -> str:
        return document_id[: len("YYYY-MM-DD_HH-MM")]

    def ids(self, document: Session) -> tuple[str, ...]:
        return document.all_ids

    def names(self, document: Session) -> tuple[str, ...]:
        client_id = document.client_session_id
        named = client_id if len(client_id) >= _TELLING else document.id
        return (*document.all_ids, named)

    def key(self, document: Session) -> str:
        return document.client_session_id

    def with_key_of(self, document: Session, earlier: Session) -> Session:
        if document.client_session_id or not earlier.client_session_id:
            return document
        return replace(document, client_session_id=earlier.client_session_id)

    def subject(self, document: Session) -> str:
        named = document.tool, document.client_session_id
        return self.subject_of_conversation(*named) or document.id

    def subject_of_conversation(self, tool: str, client_session_id: str) -> str | None:
        """Return the subject of its session; None for one without a name."""
        return f"{tool}\0{client_session_id}" if client_session_id else None

    def subject_in(self, document_id: str, text: str) -> str:
        head, _ = parts(text)
        value = header.read(head, _NAMING).values.get
        named = value("tool", ""), value("client_session_id", "")
        return self.subject_of_conversation(*named) or document_id

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
    """What a tombstone names an item of a session by."""
    return f"{session.tool}\0{session.client_session_id or session.id}\0{item}"
