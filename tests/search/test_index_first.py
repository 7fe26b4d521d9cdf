from datetime import UTC, datetime
from pathlib import Path

from gitmem.model.changes import Changes
from gitmem.model.session import Session
from gitmem.search.index import Index
from gitmem.search.query import parse

NOW = datetime(2026, 3, 20, 15, 0, tzinfo=UTC)


def test_a_session_is_found_by_its_goal(tmp_path: Path) -> None:
    session = Session(
        id="2026-03-20_12-00_cursor_tei-migration",
        tool="cursor",
        project="inference",
        client_session_id="c1",
        started_at=NOW,
        updated_at=NOW,
        goal="Migrate the embedding endpoint to TEI",
    )
    index = Index.open(tmp_path / "index", tmp_path / "lock")
    index.catch_up("t1", lambda _: Changes(None, "t1", 1, [(session.id, session)]))
    found = index.search(parse("tei migration", now=NOW, tools={}), limit=5)
    assert [hit.session_id for hit in found] == [session.id]
