"""A repository that cannot be written can be read, and says why nothing is saved."""

import json
from pathlib import Path

import pytest
from crash.warm import Warm
from support.harness import git, read_only
from support.workspaces import saved_session, workspace_at

from gitmem.errors import NoPermission


@pytest.mark.endurance
def test_reading_needs_no_writing(repository: Path, processes: Warm) -> None:
    saved = saved_session(workspace_at(repository), goal="Stop the double charge")
    before = git(repository, "for-each-ref")
    with read_only(repository):
        found = processes.ocm(repository, "search", "double", "charge", "--json")
        shown = processes.ocm(repository, "show", "last")
        refused = processes.ocm(repository, "checkpoint", "--goal", "x", "--json")
    [hit] = json.loads(found.out)
    assert hit["session_id"] == saved.session_id
    assert "Stop the double charge" in Path(hit["markdown_path"]).read_text()
    assert "Stop the double charge" in shown.out
    assert refused.status == NoPermission.exit_status
    assert json.loads(refused.err)["error"]["code"] == NoPermission.code
    assert git(repository, "for-each-ref") == before


@pytest.mark.endurance
def test_unreadable_index_is_replaced(repository: Path, processes: Warm) -> None:
    saved_session(workspace_at(repository), goal="Stop the double charge")
    (repository / ".git" / "ocm-index").mkdir(exist_ok=True)
    (repository / ".git" / "ocm-index").chmod(0)
    found = processes.ocm(repository, "search", "double", "charge", "--json")
    (repository / ".git" / "ocm-index").chmod(0o700)
    assert len(json.loads(found.out)) == 1
