"""`ocm share`: nothing leaves before it was shown and said."""

from pathlib import Path

import pytest
from cli.running import Ocm, commit_by_hand
from support.clones import make_clones, remote_in
from support.harness import git
from support.workspaces import workspace_at

from gitmem.documents.kinds import SESSION
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.rendering import DOCUMENT_LIMIT
from gitmem.errors import InvalidInput, Unreachable
from gitmem.lookup import find_id

SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.fixture
def hub(repository: Path, tmp_path: Path) -> Path:
    make_clones(tmp_path / "clones", 1)
    hub = remote_in(tmp_path / "clones")
    git(repository, "remote", "add", "origin", str(hub))
    return hub


def refs(repository: Path) -> str:
    return git(repository, "for-each-ref", "refs/ocm")


def test_plan_is_shown_first(ocm: Ocm, hub: Path, repository: Path) -> None:
    ocm("checkpoint", "--goal", "Stop the double charge")
    before = (repository / ".git" / "config").read_text()
    shown = ocm("share", "on", "--dry-run").out
    assert "1, since 20" in shown
    assert "Ada (1)" in shown
    assert str(hub) in shown
    refused = ocm("share", "on")
    assert refused.status == InvalidInput.exit_status
    assert "--dry-run" in refused.err
    assert refs(hub) == ""
    assert (repository / ".git" / "config").read_text() == before


def test_yes_turns_it_on_and_syncs(ocm: Ocm, hub: Path, repository: Path) -> None:
    ocm("checkpoint", "--goal", "Stop the double charge")
    told = ocm("share", "on", "--yes", "--auto-push", "--json").json
    assert (told["shared"], told["sessions"], told["findings"]) == (True, 1, [])
    assert len(told["sync"]["sent"]) == 1
    assert "refs/ocm/sessions" in refs(hub)
    assert git(repository, "config", "ocm.autoPush") == "true"
    standing = ocm("share", "status", "--json").json
    assert standing["remote"] == "origin"
    assert standing["waiting"] == []
    assert standing["last"]["what"] == "Sent 1 session."
    assert "Sent 1 session." in ocm("share", "status").out


@pytest.mark.endurance
def test_secret_needs_a_choice_of_its_own(
    ocm: Ocm, hub: Path, repository: Path
) -> None:
    session_id = ocm("checkpoint", "--goal", "Stop it", "--json").json["session_id"]
    document_id = find_id(workspace_at(repository), SESSION, session_id)
    path = document_path(document_id)
    document = git(repository, "show", f"refs/ocm/sessions:{path}")
    commit_by_hand(repository, path, "x" * (DOCUMENT_LIMIT + 1))
    commit_by_hand(repository, path, f"{document}\n\n## Mine\n\n{SECRET}\n")
    shown = ocm("share", "on", "--dry-run")
    assert f"is, or was, in 1 document:\n  {document_id}  " in shown.out
    assert SECRET not in shown.out + shown.err
    assert f"or not there, in 1 document:\n  {document_id}\n" in shown.out
    refused = ocm("share", "on", "--yes")
    assert refused.status == InvalidInput.exit_status
    assert "--despite-findings" in refused.err
    assert refs(hub) == ""
    assert ocm("share", "on", "--yes", "--despite-findings").status == 0
    assert "refs/ocm/sessions" in refs(hub)


def test_off_says_what_stays(ocm: Ocm, hub: Path, repository: Path) -> None:
    ocm("checkpoint", "--goal", "Stop it")
    ocm("share", "on", "--yes")
    assert "stays there" in ocm("share", "off").out
    assert "ocm" not in git(repository, "config", "--local", "--list")
    assert "refs/ocm/sessions" in refs(hub)
    assert ocm("share", "status", "--json").json == {"shared": False}
    assert "no remote" in ocm("share", "off").out


def test_silent_remote_is_not_chosen(ocm: Ocm, repository: Path) -> None:
    git(repository, "remote", "add", "origin", "/nowhere")
    before = (repository / ".git" / "config").read_text()
    assert ocm("share", "on", "--yes").status == Unreachable.exit_status
    assert (repository / ".git" / "config").read_text() == before
    assert ocm("share", "on", "--dry-run").status == 0
