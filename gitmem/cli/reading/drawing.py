"""A document as a terminal shows it.

Apart from `ocm show`, because rich takes 25 ms to learn Markdown.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from rich.cells import cell_len
from rich.console import (
    Console,
    ConsoleOptions,
    Group,
    RenderableType,
    RenderResult,
)
from rich.markdown import (
    ListItem,
    Markdown,
    MarkdownElement,
    Paragraph,
    TableElement,
)
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gitmem.actions.reading.documents import Conversation, Document
from gitmem.cli.output import FAINT, ID, STATUS, wrapped
from gitmem.cli.times import spoken
from gitmem.documents.authors import name_in
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.session import Session


def drawing(shown: Document | Conversation, now: datetime) -> RenderableType:
    """The session's facts, and the text below them, a document's without its header."""
    if isinstance(shown, Conversation):
        session, text = shown.session, shown.text
    else:
        session = parse(shown.session_id, shown.text)
        text = parts(shown.text)[1]
    title = Text.assemble((session.id, ID), "\n", *_facts(session, now), "\n")
    return Group(title, _Document(text, hyperlinks=False))


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


class _WholeParagraph(Paragraph):
    """A paragraph in which a long path stays in one piece."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        longest = max(map(cell_len, self.text.plain.split()), default=0)
        if longest <= options.max_width:
            yield from super().__rich_console__(console, options)
            return
        for line in wrapped(self.text, options.max_width):
            line.no_wrap, line.overflow = True, "ignore"
            yield line


class _WholeItem(ListItem):
    """An item of a list that does not crop such a paragraph."""

    def render_bullet(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._lines(" • ", console, options)

    def render_number(
        self, console: Console, options: ConsoleOptions, number: int, last_number: int
    ) -> RenderResult:
        mark = f"{number} ".rjust(len(str(last_number)) + 2)
        yield from self._lines(mark, console, options)

    def _lines(
        self, mark: str, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        room = options.update(width=options.max_width - len(mark))
        style = console.get_style("markdown.item.bullet")
        for line in Segment.split_lines(console.render(self.elements, room)):
            yield Segment(mark, style)
            yield from line
            yield Segment.line()
            mark = " " * len(mark)


class _WholeTable(TableElement):
    """A table as wide as a path in its first column needs; the others are broken."""

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                width = max(options.max_width, _width_with_paths(table))
                yield from console.render(table, options.update(width=width))


def _width_with_paths(table: Table) -> int:
    """What the table needs now that no path in its first column is broken."""
    width = 0
    for column in table.columns:
        column.overflow = "fold"
    for column in table.columns[:1]:
        cells = (cell.cell_len for cell in column.cells if isinstance(cell, Text))
        longest = max(cells, default=0)
        column.no_wrap = longest <= _LONGEST_PATH
        width = longest + _ROOM_BESIDE if column.no_wrap else 0
    return width


_LONGEST_PATH, _ROOM_BESIDE = 300, 30
"""Columns of a terminal."""


class _Document(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "paragraph_open": _WholeParagraph,
        "list_item_open": _WholeItem,
        "table_open": _WholeTable,
    }
