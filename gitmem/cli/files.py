"""`ocm files`: what a session touched."""

from gitmem.cli import output
from gitmem.cli.options import Json, SessionName

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
        output.say_rows(
            ((file.change.value, _STYLES[file.change]), output.one_line(file.path))
            for file in touched
        )
    else:
        output.note("This session touched no files.")
