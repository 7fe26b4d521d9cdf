"""What the forms of the pages do with `--write`: the actions of the command line."""

from collections.abc import Mapping
from dataclasses import replace

from gitmem.actions.editing.edit import (
    EditableDocument,
    editable,
    edited_elsewhere,
    save_edit,
)
from gitmem.actions.remembering import named
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.actions.sharing.review_held import accept, refuse
from gitmem.actions.sharing.share_settings import chosen_sharing
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.memory import Relate
from gitmem.errors import InvalidInput
from gitmem.view.pages import Form, FormAction, Values, served_link
from gitmem.workspace import Workspace


def _edit(workspace: Workspace, name: str, form: Form) -> str | Values:
    text = form.get("text", "")
    try:
        saved = save_edit(_edited_document(workspace, name, text), text)
    except InvalidInput as error:
        return {"name": name, "text": text, "error": error}
    return served_link(saved.kind, name=name)


def _edited_document(workspace: Workspace, name: str, text: str) -> EditableDocument:
    edited, present = edited_elsewhere(workspace, text), editable(workspace, name)
    if edited.document.id != present.document.id:
        raise InvalidInput("line 1: the header names another document.")
    return edited


def _remember(workspace: Workspace, _: str, form: Form) -> str:
    """Keep a statement with the fields that somebody filled in."""
    names = ("text", "why", "kind", "key", "scope")
    filled = {name: form[name] for name in names if form.get(name, "").strip()}
    return _remembered(workspace, {"text": "", **filled})


def _pin(workspace: Workspace, name: str, form: Form) -> str:
    is_pinned = form.get("pinned") == "1"
    return _updated(workspace, name, {"text": "", "pinned": is_pinned})


def _correct(workspace: Workspace, name: str, form: Form) -> str:
    document = editable(workspace, name)
    memory = MEMORY.parse(document.document.id, document.text)
    text, why = form.get("text", ""), form.get("why", memory.why)
    save_edit(document, MEMORY.render(replace(memory, text=text, why=why)))
    if (kind := form.get("kind", memory.kind)) != memory.kind:
        _updated(workspace, name, {"text": "", "kind": kind})
    return served_link("memory", name=name)


def _supersede(workspace: Workspace, name: str, form: Form) -> str:
    supersede = {"replaces": name, "relation": Relate.SUPERSEDE}
    return _remembered(workspace, {"text": form.get("text", ""), **supersede})


def _forget(workspace: Workspace, name: str, _: Form) -> str:
    named.forget([named.find_document_of_kind(workspace, MEMORY, name)])
    return served_link("memories")


def _decide(workspace: Workspace, name: str, form: Form) -> str:
    decide = accept if form.get("decision") == "accept" else refuse
    decide(workspace, chosen_sharing(workspace, None), [name])
    return served_link("sharing")


def _updated(workspace: Workspace, name: str, values: Mapping[str, object]) -> str:
    update = {"replaces": name, "relation": Relate.UPDATE}
    return _remembered(workspace, {**values, **update})


def _remembered(workspace: Workspace, arguments: Mapping[str, object]) -> str:
    now = workspace.now()
    author = workspace.store.author(now).who
    statement = parse_statement(arguments, now)
    saved = remember(workspace, statement, f"person:{author}")
    return served_link("memory", name=saved.memory.id)


FORM_ACTIONS: dict[str, FormAction] = {
    "/remember": _remember,
    "/memories/{name}/pin": _pin,
    "/memories/{name}/correct": _correct,
    "/memories/{name}/supersede": _supersede,
    "/memories/{name}/forget": _forget,
    "/edit/{name}": _edit,
    "/sharing/{name}/decide": _decide,
}
"""Actions of forms, by the paths that they are posted to."""
