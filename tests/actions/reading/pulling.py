"""Sessions as a pull may bring them."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from support.harness import NOON

from gitmem.documents.session.identity import document_path
from gitmem.documents.session.rendering import FORMAT, render
from gitmem.documents.session.session import Session
from gitmem.git.values import Signature
from gitmem.redaction.redact import Redacted, redact, seal
from gitmem.store.trees.document_tree import FORMAT_FILE
from gitmem.store.trees.session_tree import REF
from gitmem.workspace import Workspace


def pulled(workspace: Workspace, slug: str, hours: int = 0, **values: Any) -> Session:
    """One that began so many hours ago on `main`."""
    began = workspace.now() - timedelta(hours=hours)
    made = Session(
        id=f"{began:%Y-%m-%d_%H-%M}_cursor_{slug}",
        tool="cursor",
        project="project",
        client_session_id=slug,
        started_at=began,
        updated_at=began,
        branch="main",
    )
    return replace(made, **values)


def put(workspace: Workspace, *sessions: Session) -> None:
    write(workspace, {document_path(each.id): seal(each, render) for each in sessions})


def write(workspace: Workspace, texts: dict[str, Redacted]) -> None:
    """One commit of Eve with these documents."""
    to, by = workspace.repository, Signature("Eve", "eve@evil.org", NOON)
    files = {FORMAT_FILE: redact(f"{FORMAT}\n"), **texts}
    tree = to.write_tree(workspace.store.memory().tree, files)
    commit = to.create_commit(tree, [], redact("pulled"), by)
    assert to.update_ref(REF, to.resolve_ref(REF), commit, "pulled")
