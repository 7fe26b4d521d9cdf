"""`ocm show`: the document of a session."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer
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

from gitmem.cli import output
from gitmem.cli.options import Json, SessionName
from gitmem.cli.output import FAINT, ID, STATUS
from gitmem.cli.pager import page
from gitmem.cli.times import spoken

if TYPE_CHECKING:
    from datetime import datetime

    from gitmem.actions.reading import Document
    from gitmem.model.session import Session

Raw = Annotated[bool, typer.Option("--raw", help="Print the text as it is stored.")]

_READABLE_COLUMNS = 100
_DRAWN_LENGTH = 500_000
"""Characters above which drawing the Markdown would keep a person waiting."""


def show(session: SessionName, raw: Raw = False, as_json: Json = False) -> None:
    """Show the document of a session."""
    from gitmem.actions.reading import read_document
    from gitmem.workspace import current_environment, open_workspace

    workspace = open_workspace(current_environment())
    document = read_document(workspace, session)
    if as_json:
        output.say_json(
            {
                "session_id": document.session_id,
                "markdown_path": str(document.markdown_path or "") or None,
                "document": document.text,
            }
        )
    elif raw or not output.is_terminal() or len(document.text) > _DRAWN_LENGTH:
        output.say_raw(document.text)
    else:
        drawn = _drawn(document, workspace.now())
        text = output.rendered(drawn, _READABLE_COLUMNS)
        page(text, workspace.root, workspace.environment.variables)


def _drawn(document: "Document", now: "datetime") -> RenderableType:
    from gitmem.model.header import split
    from gitmem.model.reader import parse

    session = parse(document.session_id, document.text)
    title = Text.assemble((session.id, ID), "\n", *_facts(session, now), "\n")
    return Group(title, _Document(split(document.text)[1], hyperlinks=False))


def _facts(session: "Session", now: "datetime") -> Iterator[tuple[str, str]]:
    yield f"{session.tool} in {session.project}", FAINT
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
