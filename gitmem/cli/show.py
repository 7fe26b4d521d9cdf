"""`ocm show`: the document of a session."""

from typing import Annotated

import typer

from gitmem.cli import output
from gitmem.cli.options import Json, SessionName
from gitmem.cli.pager import page
from gitmem.model.harmless import harmless_lines

Raw = Annotated[bool, typer.Option("--raw", help="Print the text as it is stored.")]

_DRAWN_LENGTH = 500_000
"""Characters above which drawing the Markdown would keep a person waiting."""


def show(session: SessionName, raw: Raw = False, as_json: Json = False) -> None:
    """Show the document of a session, without characters that are not seen."""
    from gitmem.actions.reading.documents import read_document
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    document = read_document(workspace, session)
    path = document.markdown_path
    if as_json:
        output.say_json(
            {
                "session_id": document.session_id,
                "markdown_path": str(path) if path else None,
                "document": document.text,
            }
        )
    elif raw:
        output.say_raw(document.text)
    elif not output.is_terminal() or len(document.text) > _DRAWN_LENGTH:
        output.say_raw(harmless_lines(document.text))
    else:
        from gitmem.cli.drawing import drawing

        drawn = drawing(document, workspace.now())
        text = output.rendered(drawn, output.READABLE_COLUMNS)
        page(text, workspace.root, workspace.environment.variables)
