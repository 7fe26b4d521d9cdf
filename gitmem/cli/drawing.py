"""A document as a terminal shows it.

Apart from `ocm show`, because rich takes 25 ms to learn Markdown.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from rich.console import (
    Console,
    ConsoleOptions,
    Group,
    RenderableType,
    RenderResult,
)
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.table import Table
from rich.text import Text

from gitmem.actions.reading.documents import Document
from gitmem.cli.output import FAINT, ID, STATUS
from gitmem.cli.times import spoken
from gitmem.model.reader import parse, parts
from gitmem.model.session import Session
from gitmem.model.whose import name_in


def drawing(document: Document, now: datetime) -> RenderableType:
    """The session's facts, and below them the document without its header."""
    session = parse(document.session_id, document.text)
    title = Text.assemble((session.id, ID), "\n", *_facts(session, now), "\n")
    return Group(title, _Document(parts(document.text)[1], hyperlinks=False))


def _facts(session: Session, now: datetime) -> Iterator[tuple[str, str]]:
    yield f"{session.tool} in {session.project}", FAINT
    if who := name_in(session.author):
        yield f", by {who}", FAINT
    if session.branch:
        yield f", branch {session.branch}", FAINT
    started, saved = (
        spoken(at, now) for at in (session.started_at, session.updated_at)
    )
    since = f", last saved {saved}" if saved != started else ""
    yield f"\n{started}{since}, ", FAINT
    yield session.status.value, STATUS[session.status]
    if session.extra_header:
        yield f"\n{session.extra_header}".rstrip(), FAINT


class _WholeTable(TableElement):
    """A table that breaks a path which is too long, instead of cutting it."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        for table in super().__rich_console__(console, options):
            for column in table.columns if isinstance(table, Table) else ():
                column.overflow = "fold"
            yield table


class _Document(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "table_open": _WholeTable,
    }
