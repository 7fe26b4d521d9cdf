"""The memory in one file, to send or to keep: it needs no server, and runs nothing."""

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from markupsafe import Markup

from gitmem.actions.remembering.recall import RecallQuery
from gitmem.actions.remembering.statement import BRANCH, PROJECT
from gitmem.documents.authors import name_in
from gitmem.documents.conversation.conversation import parse
from gitmem.documents.session.gist import SessionState
from gitmem.documents.session.session import Session
from gitmem.frozen import frozen
from gitmem.text.patterns import pattern
from gitmem.view import start_page
from gitmem.view.memory_pages import (
    MemoryRow,
    listed_values,
    memory_rows,
    memory_values,
)
from gitmem.view.pages import PAGES
from gitmem.view.rendering import STATIC, Renderer
from gitmem.view.session_list import Filters, SessionRow, by_day, ids_in_order
from gitmem.view.session_page import families
from gitmem.view.state_pages import context_values
from gitmem.workspace import Workspace

_NO_LINK = pattern(r' href=""')
Part = tuple[str, str]
"""The anchor of a page, and its HTML."""


@frozen
class FileContents:
    """What a file has beside sessions and the memories of this repository."""

    with_conversations: bool = False
    with_private: bool = False
    """True for memories of the user, private ones, and those of spaces."""
    with_local: bool = False
    """True for what only this machine knows: work that is not committed, context."""


class SingleFile:
    """The pages of a memory, as they are now."""

    def __init__(self, workspace: Workspace, contents: FileContents) -> None:
        self._workspace, self.contents = workspace, contents
        self._renderer = Renderer(workspace.environment.pages)
        memory = workspace.current_sessions()
        ids = ids_in_order(workspace, memory)
        self.sessions: list[Session] = [*filter(None, map(memory.readable, ids))]
        self._session_ids = {
            name: session.id
            for session in self.sessions
            for name in (session.client_session_id, session.id)
        }

    @cached_property
    def memories(self) -> dict[str, MemoryRow]:
        rows = memory_rows(self._workspace, RecallQuery(), [])
        is_local, is_all = self.contents.with_local, self.contents.with_private
        return {
            row.memory.id: row if is_local else replace(row, recalls=None)
            for row in rows
            if is_all or row.scope in (PROJECT, BRANCH)
        }

    @cached_property
    def conversations(self) -> dict[str, str]:
        """The conversations that are told, by the ids of their sessions."""
        if not self.contents.with_conversations:
            return {}
        tree = self._workspace.conversations
        texts = ((s.id, tree.text_like(s.id)) for s in self.sessions)
        return {session_id: text for session_id, text in texts if text}

    def html(self) -> str:
        style = (STATIC / "view.css").read_text("utf-8")
        digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
        values = {
            "style": Markup(style),  # noqa: S704 - our own file
            "style_hash": f"sha256-{digest}",
            "parts": [(anchor, Markup(part)) for anchor, part in self._parts()],  # noqa: S704 - made by templates
        }
        return self._rendered("file", values)

    def _parts(self) -> Iterator[Part]:
        start = start_page.values(self._workspace, {})
        if not self.contents.with_local:
            start["uncommitted"] = []
        yield self._part("start", start)
        rows = [self._row(session) for session in self.sessions]
        whole_list = {"filters": Filters(all="1"), "active": {}, "before": ""}
        days = {"days": by_day(rows), "total": len(rows)}
        yield self._part("sessions", {**whole_list, **days})
        memories = [*self.memories.values()]
        yield self._part("memories", listed_values(memories, {"past": "1"}))
        trees = families(self.sessions)
        for row in rows:
            session_id, has = row.session.id, row.session.id in self.conversations
            values = {"row": row, "has_conversation": has}
            family = trees.get(session_id, [])
            yield self._part("session", {**values, "family": family}, session_id)
            if has:
                turns = parse(self.conversations[session_id])
                yield self._part("conversation", {**values, "turns": turns}, session_id)
        for name, memory_row in self.memories.items():
            yield self._part("memory", memory_values(memory_row, self.memories), name)
        if self.contents.with_local:
            yield self._part("context", context_values(self._workspace, {}))

    def _part(self, page: str, values: dict[str, Any], name: str = "") -> Part:
        anchor = f"{page}-{name}" if name else page
        return anchor, _NO_LINK.sub("", self._rendered(page, values))

    def _rendered(self, page: str, values: dict[str, Any]) -> str:
        common = {
            "page": page,
            "link": self._link,
            "pages": PAGES,
            "project": self._workspace.project,
            "is_writable": False,
        }
        return self._renderer.html(page, common | values)

    def _row(self, session: Session) -> SessionRow:
        """Return what its document says; if it runs only this machine knows."""
        state = SessionState(session.status.value)
        return SessionRow(session, state, name_in(session.author))

    def _link(self, page: str, **parameters: Any) -> str:
        """Return the place of a page in the file; "" for one that is not there."""
        name = parameters.pop("name", "")
        if page in ("session", "conversation"):
            name = self._session_ids.get(name, "")
        is_there = {
            "session": bool(name),
            "conversation": name in self.conversations,
            "memory": name in self.memories,
            "context": self.contents.with_local,
        }.get(page, page in ("start", "sessions", "memories"))
        is_narrowed = any(parameters[key] for key in parameters.keys() - {"all"})
        if not is_there or is_narrowed:
            return ""
        return f"#{page}-{name}" if name else f"#{page}"
