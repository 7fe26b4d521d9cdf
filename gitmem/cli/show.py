"""`ocm show`: the document of a session."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from gitmem.cli import output
from gitmem.cli.options import Json, SessionName
from gitmem.cli.output import FAINT, ID, STATUS
from gitmem.cli.pager import page
from gitmem.cli.times import spoken

if TYPE_CHECKING:
    from datetime import datetime

    from gitmem.actions.reading import Document

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
    where = f"{session.tool} in {session.project}"
    if session.branch:
        where += f", branch {session.branch}"
    started, saved = (
        spoken(time, now) for time in (session.started_at, session.updated_at)
    )
    facts = Text.assemble(
        (session.id, ID),
        "\n",
        (f"{where}\n{started}, last saved {saved}, ", FAINT),
        (session.status.value, STATUS[session.status]),
        (f"\n{session.extra_header}".rstrip(), FAINT),
        "\n",
    )
    body = split(document.text)[1]
    return Group(facts, Markdown(body, hyperlinks=False))
