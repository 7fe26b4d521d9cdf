"""A remote whose URL leads elsewhere than its user agreed to share with."""

import shutil
from pathlib import Path

import pytest
from cli.running import Ocm, on_a_terminal
from support.auto_push import Pair, make_pair
from support.harness import git
from support.rounds import few
from support.workspaces import saved_session

from gitmem.actions.sharing.auto_push import push_along
from gitmem.errors import RemoteChanged

AGAIN = ("share", "on", "--yes")
FIRST, SECOND = "Stop the double charge", "Paint the fence green"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--bare", "public-fork.git")
    return tmp_path / "public-fork.git"


@pytest.fixture
def pair(
    ocm: Ocm, tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> Pair:
    """A memory of two sessions, one of which is shared."""
    made = make_pair(tmp_path)
    monkeypatch.chdir(made.here)
    saved_session(made.workspace, client_session_id="one", goal=FIRST)
    assert ocm("share", "on", "--yes", "--auto-push").status == 0
    saved_session(made.workspace, client_session_id="two", goal=SECOND)
    assert elsewhere.is_dir()
    return made


def refs(repository: Path) -> str:
    return git(repository, "for-each-ref", "--format=%(refname)", "refs/ocm")


def change(pair: Pair, elsewhere: Path, how: str) -> None:
    changes = {
        "url": ("remote.origin.url", str(elsewhere)),
        "pushurl": ("remote.origin.pushurl", str(elsewhere)),
        "insteadOf": (f"url.{elsewhere}.insteadOf", str(pair.remote)),
        "pushInsteadOf": (f"url.{elsewhere}.pushInsteadOf", str(pair.remote)),
    }
    git(pair.here, "config", *changes[how])


@few(1, "how", ["pushurl", "url", "insteadOf", "pushInsteadOf"])
def test_nothing_is_sent_before_it_was_agreed_to(
    ocm: Ocm, pair: Pair, elsewhere: Path, how: str
) -> None:
    change(pair, elsewhere, how)
    for command in (["sync"], ["push"], ["sync", "--dry-run"]):
        ran = ocm(*command)
        assert ran.status == RemoteChanged.exit_status
        assert f"origin leads to {elsewhere} now" in ran.err
        assert "Nothing was sent: 2 sessions." in ran.err
    assert refs(elsewhere) == ""
    ran = ocm("list")
    assert FIRST in ran.out
    assert f"leads to {elsewhere} now" in ran.err
    assert ocm("share", "on", "--dry-run", "--json").json["sessions"] == 2
    assert ocm(*AGAIN).status == 0
    assert "Sent 2 sessions." in ocm("share").out
    assert "refs/ocm/sessions" in refs(elsewhere)
    assert ocm("sync").status == 0
    assert "leads to" not in ocm("list").err


@pytest.mark.endurance
def test_a_person_is_asked(pair: Pair, elsewhere: Path) -> None:
    change(pair, elsewhere, "url")
    said, status = on_a_terminal(pair.here, ["sync"], "n\n")
    assert "2, since 20" in said
    assert "Share this memory with origin?" in said
    assert (status != 0, refs(elsewhere)) == (True, "")
    said, status = on_a_terminal(pair.here, ["sync"], "y\n")
    assert "Sent 2 sessions." in said
    assert (status, "refs/ocm/sessions" in refs(elsewhere)) == (0, True)


def test_what_goes_along_with_a_push_stays_here(
    ocm: Ocm, pair: Pair, elsewhere: Path
) -> None:
    change(pair, elsewhere, "url")
    push_along(pair.workspace, "origin", str(elsewhere))
    assert refs(elsewhere) == ""
    assert f"leads to {elsewhere} now" in (pair.ours / "push-failed").read_text()
    assert "`ocm share on`" in ocm("status").err
    assert ocm(*AGAIN).status == 0
    push_along(pair.workspace, "origin", str(elsewhere))
    assert not (pair.ours / "push-failed").exists()


@pytest.mark.endurance
def test_no_history_is_replaced_elsewhere(
    ocm: Ocm, pair: Pair, elsewhere: Path
) -> None:
    git(elsewhere, "fetch", "--quiet", str(pair.remote), "refs/ocm/*:refs/ocm/*")
    before = git(elsewhere, "for-each-ref")
    change(pair, elsewhere, "pushurl")
    ran = ocm("forget", "--history", "last", "--yes")
    assert ran.status == RemoteChanged.exit_status
    assert git(elsewhere, "for-each-ref") == before


@pytest.mark.endurance
def test_another_form_of_the_url_goes_on(ocm: Ocm, pair: Pair) -> None:
    git(pair.here, "remote", "set-url", "origin", f"{pair.remote.as_uri()}/")
    assert ocm("sync").status == 0


def test_who_shared_before_goes_on(ocm: Ocm, pair: Pair, elsewhere: Path) -> None:
    (pair.ours / "shared-with").unlink()
    assert ocm("sync").status == 0
    change(pair, elsewhere, "url")
    assert ocm("sync").status == RemoteChanged.exit_status


@pytest.mark.endurance
def test_no_password_is_shown_or_kept(ocm: Ocm, pair: Pair) -> None:
    url = "https://ada:open-sesame@127.0.0.1:1/x"
    git(pair.here, "remote", "set-url", "origin", url)
    ran = ocm("sync")
    assert ran.status == RemoteChanged.exit_status
    assert "origin leads to 127.0.0.1:1/x now" in ran.err
    (pair.ours / "shared-with").unlink()
    said = ran.err + ocm("sync").err + ocm("status").out + ocm("doctor").out
    files = [path for path in pair.ours.rglob("*") if path.is_file()]
    kept = b"".join(path.read_bytes() for path in files)
    assert "sesame" not in said + kept.decode(errors="replace")


@pytest.mark.endurance
def test_a_space_asks_as_well(ocm: Ocm, tmp_path: Path, elsewhere: Path) -> None:
    hub = tmp_path / "hub.git"
    git(tmp_path, "init", "--quiet", "--bare", str(hub))
    ocm("space", "add", "team", str(hub), "--yes")
    ocm("remember", "Deploys go through staging", "--scope", "team")
    git(tmp_path, "config", "--global", f"url.{elsewhere}.insteadOf", str(hub))
    ran = ocm("sync")
    assert ran.status == RemoteChanged.exit_status
    assert "Nothing was sent: 1 memory." in ran.err
    assert "ocm space add" in ran.err
    assert refs(elsewhere) == ""
    assert ocm("space", "add", "team", str(hub), "--yes").status == 0
    assert "refs/ocm/memories" in refs(elsewhere)
    shutil.rmtree(hub)
    assert ocm("sync", "--space", "team").status == 0
