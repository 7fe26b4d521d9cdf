"""Statements, and what is recalled of them."""

from datetime import datetime, timedelta
from typing import Any

from support.harness import NOON

from gitmem.actions.remembering.keeping import SavedMemory
from gitmem.actions.remembering.recall import RecalledMemory, RecallQuery, recall
from gitmem.actions.remembering.remember import remember
from gitmem.actions.remembering.statement import parse_statement
from gitmem.documents.kinds import MEMORY
from gitmem.documents.memory.kind import Stated
from gitmem.documents.memory.memory import Memory, ids_of
from gitmem.workspace import Workspace

ADA = "person:Ada <ada@example.com>"


def say(
    workspace: Workspace, text: str, source: str = ADA, **given: Any
) -> SavedMemory:
    statement = parse_statement({"text": text, **given}, workspace.now())
    return remember(workspace, statement, source)


def found(workspace: Workspace, text: str = "", **asked: Any) -> list[RecalledMemory]:
    return [*recall(workspace, RecallQuery(text, **asked)).memories]


def texts(workspace: Workspace, text: str = "", **asked: Any) -> list[str]:
    return [each.memory.text for each in found(workspace, text, **asked)]


def stored(workspace: Workspace, document_id: str) -> Memory:
    document = workspace.store_of(MEMORY).memory().document(document_id)
    assert document is not None
    return document


def said_at(
    workspace: Workspace, text: str, at: datetime = NOON, **values: Any
) -> Memory:
    """A memory that was said then, as if this clock had shown it."""
    given = {"created_at": at, "updated_at": at, "author": "Ada <ada@example.com>"}
    name = next(ids_of(text, ""))
    memory = Memory(id=name, text=text, **{**given, **values})
    store = workspace.store_of(MEMORY)
    store.append(Stated(at, memory))
    store.replay()
    return memory


def days_ago(workspace: Workspace, days: float) -> datetime:
    return workspace.now() - timedelta(days=days)
