"""Sessions and indexes for the tests of the search."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from gitmem.documents.changes import Changed, Changes, session_entry
from gitmem.documents.conversation import conversation
from gitmem.documents.conversation.conversation import Turn
from gitmem.documents.session import rendering
from gitmem.documents.session.session import Session
from gitmem.git.values import Change, FileChange
from gitmem.search.index import Hit, Index
from gitmem.search.queries.query import parse

NOW = datetime(2026, 3, 20, 15, 0, tzinfo=UTC)
TOOLS = {
    "claude code": "claude-code",
    "claude": "claude-code",
    "cursor": "cursor",
    "codex": "codex",
}


def session(id_: str, **facts: Any) -> Session:
    """A session that holds nothing but `facts`; `files` may be given as paths."""
    facts["files"] = tuple(
        FileChange(path, Change.MODIFIED) for path in facts.get("files", ())
    )
    known: dict[str, Any] = {
        "id": id_,
        "tool": "cursor",
        "project": "inference",
        "client_session_id": f"client-{id_}",
        "started_at": NOW,
        "updated_at": facts.get("started_at", NOW),
    }
    return Session(**(known | facts))


def indexed(folder: Path, sessions: Iterable[Session], tip: str = "tip") -> Index:
    index = Index.open(folder / "index", folder / "lock")
    learn(index, tip, sessions)
    return index


def learn(index: Index, tip: str, sessions: Iterable[Session | str]) -> None:
    """Bring `index` to `tip`; a session given by its id alone was removed."""
    told = [removed(s) if isinstance(s, str) else changed(s) for s in sessions]
    index.catch_up(tip, lambda since: Changes(since, tip, len(told), told))


def changed(session: Session, turns: Iterable[Turn] = ()) -> Changed:
    """As git would have it."""
    texts = rendering.render(session), conversation.render(turns)
    entry = partial(session_entry, session.id, *texts)
    return Changed("session", session.id, entry)


def removed(session_id: str) -> Changed:
    return Changed("session", session_id, partial(session_entry, session_id, None))


def hits(index: Index, text: str, limit: int = 5) -> list[Hit]:
    return index.search(parse(text, now=NOW, tools=TOOLS), limit=limit)


def found(index: Index, text: str, limit: int = 5) -> list[str]:
    return [hit.id for hit in hits(index, text, limit)]
