"""`ocm show`: the document of a session, or what was said in it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gitmem.cli import output
from gitmem.cli.git import page
from gitmem.cli.options import Json, SessionName
from gitmem.cli.sharing.sync import say_notices
from gitmem.text.control_characters import harmless_lines

if TYPE_CHECKING:
    from gitmem.git.values import FileChange

Raw = Annotated[bool, typer.Option("--raw", help="Print the text as it is stored.")]
Said = Annotated[
    bool, typer.Option("--conversation", help="Show what was said, not the document.")
]

_DRAWN_LENGTH = 500_000
"""Characters above which drawing the Markdown would keep a person waiting."""


def show(
    session: SessionName,
    conversation: Said = False,
    raw: Raw = False,
    as_json: Json = False,
) -> None:
    """Show the document of a session.

    On a terminal it is drawn, and has no characters that are not seen.
    """
    from gitmem.actions import answers
    from gitmem.actions.reading import documents
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    read = documents.read_conversation if conversation else documents.read_document
    shown = read(workspace, session)
    if as_json:
        output.say_json(answers.of_text(shown))
    elif raw:
        output.say_raw(shown.text)
    elif not output.is_terminal() or len(shown.text) > _DRAWN_LENGTH:
        output.say_raw(harmless_lines(shown.text))
    else:
        from gitmem.cli.reading.drawing import drawing

        drawn = drawing(shown, workspace.now())
        text = output.rendered(drawn, output.READABLE_COLUMNS)
        page(text, workspace.root, workspace.environment.variables)
    if not as_json:
        say_notices(workspace)


_STYLES = {"created": "green", "modified": "yellow", "deleted": "red"}


def files(session: SessionName, as_json: Json = False) -> None:
    """List the files that a session touched."""
    from gitmem.actions import answers
    from gitmem.actions.reading.documents import session_files
    from gitmem.workspace import current_workspace

    workspace = current_workspace()
    touched = session_files(workspace, session)
    if as_json:
        output.say_json(answers.of_files(touched))
    elif touched:
        _say(touched)
    else:
        output.note("This session touched no files.")


def _say(touched: Sequence["FileChange"]) -> None:
    width = max(len(file.change) for file in touched)
    for file in touched:
        change = (file.change.ljust(width), _STYLES[file.change])
        output.say_whole(change, "  ", output.one_line(file.path))
