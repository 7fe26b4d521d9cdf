"""A repository that cannot be written can be read, and says why nothing is saved."""

import json
import os
import subprocess
import sys
from pathlib import Path

from harness import bound_by_permissions, git, read_only
from support import saved_session, workspace_at

from gitmem.errors import NoPermission


def ocm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gitmem", *arguments]
    return subprocess.run(
        bound_by_permissions(command),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_reading_goes_on_where_nothing_can_be_written(repository: Path) -> None:
    saved = saved_session(workspace_at(repository), goal="Stop the double charge")
    before = git(repository, "for-each-ref")
    with read_only(repository):
        found = ocm(repository, "search", "double", "charge", "--json")
        shown = ocm(repository, "show", "last")
        refused = ocm(repository, "checkpoint", "--goal", "x", "--json")
    [hit] = json.loads(found.stdout)
    assert hit["session_id"] == saved.session_id
    assert "Stop the double charge" in Path(hit["markdown_path"]).read_text()
    assert "Stop the double charge" in shown.stdout
    assert refused.returncode == NoPermission.exit_status
    assert json.loads(refused.stderr)["error"]["code"] == NoPermission.code
    assert git(repository, "for-each-ref") == before


def test_objects_that_cannot_be_written_leave_the_checkpoint_waiting(
    repository: Path,
) -> None:
    saved_session(workspace_at(repository), goal="g")
    with read_only(repository / ".git" / "objects"):
        refused = ocm(repository, "checkpoint", "--goal", "kept", "--json")
    assert refused.returncode == NoPermission.exit_status
    assert "safe in the journal" in json.loads(refused.stderr)["error"]["message"]
    goals = [
        each["goal"] for each in json.loads(ocm(repository, "list", "--json").stdout)
    ]
    assert sorted(goals) == ["g", "kept"]


def test_an_index_that_cannot_be_read_is_replaced_in_memory(repository: Path) -> None:
    saved_session(workspace_at(repository), goal="Stop the double charge")
    (repository / ".git" / "ocm-index").mkdir(exist_ok=True)
    (repository / ".git" / "ocm-index").chmod(0)
    found = ocm(repository, "search", "double", "charge", "--json")
    (repository / ".git" / "ocm-index").chmod(0o700)
    assert len(json.loads(found.stdout)) == 1
