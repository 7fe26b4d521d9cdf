"""Documents of any kind that answer a query."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gitmem.answers import Answer
from gitmem.assistants.known import NICKNAMES
from gitmem.documents.kind import ChangedKind
from gitmem.documents.kinds import changed_kinds
from gitmem.errors import InvalidInput
from gitmem.indexing import ask_index
from gitmem.search.queries.query import parse
from gitmem.store.trees.committing import configured_trust
from gitmem.text.markdown import line, one_line
from gitmem.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.search.documents import Hit

AnyKind = ChangedKind[Any, Any]
TITLE_LENGTH = 300
"""Characters of a title, whoever wrote it."""


def kind_named(name: str) -> AnyKind:
    """The kind that has this name, or this plural. Raises InvalidInput."""
    for kind in changed_kinds():
        if name in (kind.name, kind.root):
            return kind
    names = ", ".join(("session", *(kind.name for kind in changed_kinds())))
    raise InvalidInput(f"kind must be one of {names}, not {name!r}.")


def documents(
    workspace: Workspace, kind: AnyKind, text: str, limit: int
) -> "Sequence[Hit]":
    """The documents of a kind that answer a query, best first; for "" the newest."""
    workspace.current(kind)
    query = parse(text, now=workspace.now(), tools=NICKNAMES)
    query = replace(query, kind=kind.name)
    return ask_index(workspace, lambda index: index.search(query, limit=limit))


def of_hits(workspace: Workspace, hits: "Sequence[Hit]") -> list[Answer]:
    """What `--json` tells of documents that were listed or found."""
    own = configured_trust(workspace.repository)
    return [
        {
            f"{hit.kind}_id": hit.public_id,
            "title": one_line(hit.title, TITLE_LENGTH),
            "date": hit.at.date().isoformat(),
            "status": hit.status,
            "author": line(hit.author) or None,
            "own": own.owns(hit.author),
            "match": hit.match.value,
            "score": round(hit.score, 3),
        }
        for hit in hits
    ]
