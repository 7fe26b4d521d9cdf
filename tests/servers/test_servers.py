"""Each row of the table, against the real server."""

from pathlib import Path

import pytest
from harness import git
from servers.row import Row, shown
from servers.scene import make_scene
from servers.servers_page import PAGE, TABLE, with_table

ROWS = [
    pytest.param(
        row,
        id=f"{server}: {row.did}",
        marks=() if row.is_quick else pytest.mark.servers,
    )
    for server, rows in TABLE
    for row in rows
]


@pytest.mark.parametrize("row", ROWS)
def test_what_the_server_did_is_said_with_the_way_out(row: Row, tmp_path: Path) -> None:
    scene = make_scene(tmp_path, has_news=row.has_news)
    for change in row.changes:
        change(scene)
    with row.serve(scene) as url:
        git(scene.clone, "config", "remote.origin.url", url)
        seen = shown(scene.ocm(*row.command), tmp_path)
    assert (seen.says, seen.way_out) == (row.says, row.way_out)
    assert seen.status == (0 if row.works else row.status)


def test_readers_have_the_table() -> None:
    page = PAGE.read_text("utf-8")
    assert with_table(page) == page, "run python tests/servers/servers_page.py"
