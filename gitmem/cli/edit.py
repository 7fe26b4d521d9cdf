"""`ocm edit`: change a session or a memory in the user's editor."""

import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from gitmem.actions.editing.edit import (
    EditableDocument,
    SavedEdit,
    editable,
    edited_elsewhere,
    save_edit,
)
from gitmem.cli import output
from gitmem.cli.opening import current_workspace
from gitmem.cli.options import MAYBE_DOCUMENT, option, text_in
from gitmem.cli.output import GOOD, ID
from gitmem.errors import GitmemError, InvalidInput, NotFound, Unavailable
from gitmem.git.files import make_folder, replace_file
from gitmem.redaction.redact import redact
from gitmem.workspace import Workspace


def edit(
    name: str | None = MAYBE_DOCUMENT,
    source: str | None = option(
        "--from FILE", "Read the edited text there (`-`: standard input)."
    ),
) -> None:
    """Edit a session or a memory in your editor.

    Goal, to-dos, decisions and other lists can change, and what a memory says. An item
    that is removed stays away, here and in every clone that syncs.
    """
    workspace = current_workspace()
    if name and not source:
        _say(_edited_in_editor(workspace, editable(workspace, name)))
    elif source and not name:
        text, file = _text_in(source), workspace.environment.start / source
        _say(save_edit(edited_elsewhere(workspace, text), text, file))
    else:
        raise InvalidInput("Name a session or memory, or a text of one with --from.")


def _edited_in_editor(workspace: Workspace, document: EditableDocument) -> SavedEdit:
    """Save what the editor made of a document; what is refused stays, redacted."""
    folder = workspace.own_dir / "sessions"  # forgetting a session clears it there
    make_folder(folder)
    prefix = f"{document.document.id}.md."
    descriptor, name = tempfile.mkstemp(prefix=prefix, suffix=".md", dir=folder)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(document.text)
    file = Path(name)
    _run_editor(file, workspace.root, workspace.environment.variables)
    try:
        text = _text_in(name)
        if not text.strip():
            file.unlink()
            raise InvalidInput("The text is empty, and nothing was changed.")
        return save_edit(document, text, file)
    except GitmemError as error:
        if file.exists():
            text = redact(file.read_text("utf-8", "replace"))
            replace_file(file, text.encode("utf-8", "replace"))
            way = f"Mend the text and save it: `ocm edit --from {quote(name)}`."
            error.hint = " ".join(filter(None, (error.hint, way)))
        raise


def _run_editor(file: Path, folder: Path, variables: Mapping[str, str]) -> None:
    """Run the editor as git does. Raises Unavailable, and then the file is gone."""
    command = ["git", "-C", str(folder), "var", "GIT_EDITOR"]
    done = subprocess.run(command, capture_output=True, env=variables, check=False)
    editor = done.stdout.decode("utf-8", "replace").strip()
    # A command line that the user wrote for a shell, and no clone brings along.
    arguments = ["sh", "-c", f'{editor} "$@"', editor, str(file)]
    if not editor or subprocess.run(arguments, env=variables, check=False).returncode:
        file.unlink(missing_ok=True)
        raise Unavailable(
            "The editor did not end well, and nothing was changed.",
            hint="`git config core.editor` names it; --from FILE needs none.",
        )


def _text_in(source: str) -> str:
    """Return the text of a file. Raises NotFound, and InvalidInput with the line."""
    try:
        return text_in(source)
    except OSError as error:
        raise NotFound(f"{source} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidInput(f"line {line}: the text is not UTF-8.") from None


def _say(saved: SavedEdit) -> None:
    output.say_json(
        {
            f"{saved.kind}_id": saved.name,
            "changed": saved.changed_fields,
            "markdown_path": saved.markdown_path,
        }
    )
    if saved.changed_fields:
        names = ", ".join(saved.changed_fields).replace("_", " ")
        output.say(("edited ", GOOD), (saved.name, ID), f": {names}")
    else:
        output.say("Nothing was changed.")
