"""Each row of the table, against the real server."""

import json
import subprocess
from pathlib import Path

import pytest
from servers import ways
from servers.changes import hook
from servers.openssh import openssh
from servers.row import Row, shown
from servers.scene import Scene, make_scene
from servers.servers_page import PAGE, TABLE, with_table
from servers.ssh_rows import BRANCHES
from support.auto_push import soon
from support.harness import git

ROWS = [
    pytest.param(
        row,
        id=f"{server}: {row.did}",
        marks=pytest.mark.endurance if row.is_quick else pytest.mark.servers,
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
    assert seen.status == (0 if row.works else 14)


@pytest.mark.servers
def test_what_did_not_ride_along_is_said_with_the_next_push(tmp_path: Path) -> None:
    """And by `ocm share`, with the way out."""
    scene = make_scene(tmp_path, has_news=False)
    hook("update", BRANCHES)(scene)
    with openssh()(scene) as url:
        git(scene.clone, "config", "remote.origin.url", url)
        scene.ocm("share", "on", "--auto-push", "--yes")
        (scene.clone / ".git" / "ocm" / "sync.json").unlink()
        said = [_pushed(scene, "one")]
        assert soon(lambda: "refused" in scene.ocm("share").stdout)
        last = json.loads(scene.ocm("share", "status", "--json").stdout)["last"]
        said.append(_pushed(scene, "two"))
    why = "origin refused refs/ocm/sessions: Branches alone are taken here"
    assert [why in each for each in said] == [False, True]
    assert last["hint"] == ways.ASK_OR_USE_A_BRANCH


def _pushed(scene: Scene, branch: str) -> str:
    """What git says of a push of the user's."""
    command = ["git", "push", "origin", f"HEAD:refs/heads/{branch}"]
    done = subprocess.run(
        command, cwd=scene.clone, check=True, capture_output=True, text=True
    )
    return done.stderr


def test_readers_have_the_table() -> None:
    page = PAGE.read_text("utf-8")
    assert with_table(page) == page, "run python tests/servers/servers_page.py"
