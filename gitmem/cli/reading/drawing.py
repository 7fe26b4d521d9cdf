"""A document as a terminal shows it.

Apart from `ocm show`, because rich takes 25 ms to learn Markdown.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.markdown import Markdown, MarkdownElement, TableElement
from rich.padding import Padding
from rich.segment import Segments
from rich.table import Column, Table
from rich.text import Text
from rich.theme import Theme

from gitmem.actions.reading.documents import ConversationText, Document
from gitmem.cli.output import FAINT, ID, READABLE_COLUMNS, STATUS, console, spoken
from gitmem.documents.authors import name_in
from gitmem.documents.kinds import SESSION
from gitmem.documents.session.parsing import parse, parts
from gitmem.documents.session.session import Session
from gitmem.text.control_characters import harmless

_STYLES = {  # rich's own has a black ground under code, also on a light terminal
    "markdown.h2": "bold magenta",
    "markdown.h3": "bold",
    "markdown.code": "cyan",
    "markdown.code_block": "cyan",
    "markdown.table.border": "dim",
    "markdown.table.header": "dim",
}
_LONGEST_PATH, _ROOM_BESIDE = 300, 30
"""Columns of a terminal."""


def drawn(document: Document | ConversationText, now: datetime) -> str:
    """The session's facts, and the text below them, a document's without its header.

    Of another kind the header itself.
    """
    if isinstance(document, ConversationText):
        head, text = _title(document.session, now), document.text
    elif document.kind == SESSION.name:
        head = _title(parse(document.id, document.text), now)
        text = parts(document.text)[1]
    else:
        header, text = parts(document.text)
        head = Text.assemble((document.id, ID), "\n", (header, FAINT))
    return rendered(Group(head, _Document(text, hyperlinks=False)))


def _title(session: Session, now: datetime) -> Text:
    return Text.assemble((session.session_id, ID), "\n", *_facts(session, now), "\n")


def rendered(renderable: RenderableType) -> str:
    """What a terminal is sent to show `renderable`, whatever its text says."""
    terminal = console()
    terminal.push_theme(Theme(_STYLES))
    options = terminal.options.update(width=min(terminal.width, READABLE_COLUMNS))
    segments = [
        segment._replace(text=harmless(segment.text), control=None)
        for segment in terminal.render(renderable, options)
    ]
    with terminal.capture() as captured:
        terminal.print(Segments(segments), end="", crop=False)
    return captured.get()


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


class _WholePaths(TableElement):
    """A table whose first column, of paths, is not broken.

    Where that leaves no room for the others, what they say stands below each path.
    """

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                yield from _fitting(table, options.max_width)


def _fitting(table: Table, width: int) -> Iterator[RenderableType]:
    for column in table.columns:
        column.overflow = "fold"
    paths, *other_columns = ([*_texts(column)] for column in table.columns)
    longest = max((path.cell_len for path in paths), default=0)
    if longest + _ROOM_BESIDE <= width:
        table.columns[0].no_wrap = True
        yield table
        return
    for path, *facts in zip(paths, *other_columns, strict=True):
        path.no_wrap, path.overflow = path.cell_len <= _LONGEST_PATH, "ignore"
        yield Group(path, *(Padding(fact, (0, 0, 0, 2)) for fact in facts))


def _texts(column: Column) -> Iterator[Text]:
    return (cell for cell in column.cells if isinstance(cell, Text))


class _Document(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "table_open": _WholePaths,
    }
