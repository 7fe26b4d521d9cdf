"""`ocm doctor --fix` on repositories that were broken once, and frozen so."""

import json
import os
import re
from pathlib import Path

import pytest
from filelock import FileLock
from support.broken import Broken, Thaw, check_git
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import NOON, git, lose, record
from support.installing import tree
from support.workspaces import saved_session, workspace_at

from gitmem.actions.doctor.doctor import examine, repair
from gitmem.actions.doctor.finding import Code, Grade
from gitmem.cli.main import run
from gitmem.config import read_environment
from gitmem.errors import NoPermission
from gitmem.git.layout import MOVE_AWAY
from gitmem.store.trees.session_tree import REF

ALL = pytest.mark.endurance
RARER = {
    "dead-lock": Code.LOCK,
    "object-at-remote": Code.OBJECTS,
    "object-gone-earlier": Code.OBJECTS,
    "object-empty": Code.OBJECTS,
    "tree-gone": Code.MEMORY,
    "commit-gone": Code.OBJECTS,
    "ref-of-nuls": Code.MEMORY,
    "ref-nowhere": Code.MEMORY,
    "ref-nowhere-without-reflog": Code.MEMORY,
    "ref-lost": Code.MEMORY,
    "conversations-nowhere": Code.CONVERSATIONS,
    "permissions-open": Code.PERMISSIONS,
    "half-installed": Code.LAUNCHER,
    "registry-damaged": Code.REGISTRY,
}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *(("ref-empty", Code.MEMORY), ("object-gone", Code.OBJECTS)),
        ("index-cut", Code.INDEX),
        *(pytest.param(*each, marks=ALL) for each in RARER.items()),
    ],
)
def test_what_is_found_is_mended(thaw: Thaw, name: str, code: Code) -> None:
    """It is said, mended, and said no more; nothing is lost, git is content."""
    broken = thaw(name)
    mended = broken.repair()
    assert [each.error for each in mended.repairs if each.error] == []
    assert any(each.code is code for one in mended.repairs for each in one.findings)
    assert [each for each in mended.remaining if each.is_repairable] == []
    assert broken.acknowledged <= broken.goals()
    check_git(broken.repository)


def test_healthy_repository_is_untouched(
    repository: Path, sealed_environment: Path
) -> None:
    healthy = Broken(repository.parent, sealed_environment)
    saved_session(healthy.workspace(), goal="g")
    before = tree(healthy.repository)
    assert healthy.repair().repairs == ()
    assert tree(healthy.repository) == before


@ALL
def test_what_a_remote_may_have_is_not_given_up(thaw: Thaw) -> None:
    broken = thaw("object-at-remote")
    (broken.folder / "remote.git").rename(broken.folder / "elsewhere.git")
    before = git(broken.repository, "rev-parse", REF)
    [mending] = broken.repair().repairs
    assert (mending.steps, mending.error != "") == ((), True)
    assert git(broken.repository, "rev-parse", REF) == before


@ALL
def test_what_is_on_a_disk_that_is_not_mounted_is_not_given_up(thaw: Thaw) -> None:
    broken = thaw("object-gone")
    info = broken.git_dir / "objects" / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_text("/not/mounted/objects\n")
    before = git(broken.repository, "rev-parse", REF)
    first, *_ = broken.repair().repairs
    assert "/not/mounted/objects" in first.error
    assert git(broken.repository, "rev-parse", REF) == before


@ALL
def test_a_manifest_is_never_guessed(thaw: Thaw) -> None:
    broken = thaw("manifest-damaged")
    manifest = broken.git_dir / "ocm" / "installed.json"
    before = manifest.read_bytes()
    mended = broken.repair()
    left = [f for f in mended.remaining if f.code is Code.OWN_FILE]
    assert [each.about for each in left] == ["installed.json"]
    assert manifest.read_bytes() == before
    assert all(f.code is not Code.LAUNCHER for m in mended.repairs for f in m.findings)


@ALL
def test_one_that_cannot_be_mended_holds_up_no_other(thaw: Thaw) -> None:
    broken = thaw("index-cut")
    (broken.git_dir / f"{REF}.lock").touch()
    os.utime(broken.git_dir / f"{REF}.lock", (0, 0))
    with FileLock(broken.git_dir / "ocm" / "index.lock"):
        by_code = {one.findings[0].code: one for one in broken.repair().repairs}
    assert by_code[Code.INDEX].error
    assert by_code[Code.LOCK].steps


@ALL
def test_a_lock_that_somebody_may_hold_is_left(thaw: Thaw) -> None:
    broken = thaw("dead-lock")
    lock = broken.git_dir / f"{REF}.lock"
    lock.touch()
    broken.repair()
    assert lock.exists()


@ALL
def test_what_a_clone_leaves_out_is_not_missed(thaw: Thaw) -> None:
    broken = thaw("object-gone")
    git(broken.repository, "remote", "add", "origin", "../remote.git")
    git(broken.repository, "config", "remote.origin.promisor", "true")
    assert broken.mendable(Code.OBJECTS) == []


@ALL
def test_also_in_sha256_repositories(tmp_path: Path, sealed_environment: Path) -> None:
    broken = Broken(tmp_path, sealed_environment)
    git(tmp_path, "init", "-q", "--object-format=sha256", str(broken.repository))
    check_object_comes_back(broken)


@ALL
@needs_newer_git
def test_also_where_refs_are_in_tables(
    tmp_path: Path, sealed_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_newer_git(monkeypatch)
    broken = Broken(tmp_path, sealed_environment)
    git(tmp_path, "init", "-q", "--ref-format=reftable", str(broken.repository))
    check_object_comes_back(broken)


def check_object_comes_back(broken: Broken) -> None:
    """Of a session with a journal, whose document is gone."""
    for number, goal in enumerate(("goal one", "goal two", "goal three")):
        store = broken.workspace().store
        store.append(record(f"client-{number}", goal=goal, at=NOON))
        store.replay()
    document = git(broken.repository, "grep", "--name-only", "goal two", REF)
    oid = git(broken.repository, "rev-parse", document.splitlines()[0])
    lose(broken.repository, oid)
    assert broken.mendable(Code.OBJECTS)
    assert {each.error for each in broken.repair().repairs} == {""}
    assert broken.goals() == {"goal one", "goal two", "goal three"}
    check_git(broken.repository)


@ALL
def test_it_says_what_was_wrong_what_was_done_and_what_is_left(
    thaw: Thaw, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = thaw("ref-of-nuls")
    monkeypatch.chdir(broken.repository)
    assert run(["doctor", "--fix"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("problem  ")
    assert any(
        each.startswith("         done: refs/ocm/sessions is at") for each in said
    )
    assert "What is left:" in said
    shown = said[said.index("What is left:") :]
    count = sum(each.startswith("warning  ") for each in shown)
    assert said[-1] == f"No problems, {count} warnings."
    assert run(["doctor", "--fix", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["mended"] == []
    assert "memory" in {each["code"] for each in found["left"]}


def test_a_ref_that_is_a_link_is_left_to_the_user(
    repository: Path, sealed_environment: Path
) -> None:
    broken = Broken(repository.parent, sealed_environment)
    saved_session(broken.workspace(), goal="g")
    git(repository, "update-ref", "refs/ocm/other", REF)
    git(repository, "symbolic-ref", REF, "refs/ocm/other")
    mended = broken.repair()
    assert mended.repairs == ()
    [found] = [f for f in mended.remaining if f.code is Code.MEMORY]
    assert found.grade is Grade.PROBLEM
    [command] = re.findall("`(git .*?)`", found.remedy)
    git(repository, *command.split()[1:])
    assert broken.goals() == {"g"}
    assert not [f for f in broken.findings() if f.grade is Grade.PROBLEM]


def test_waiting_checkpoint_names_what_is_in_its_way(repository: Path) -> None:
    stranger = repository / ".git" / "ocm" / "lock"
    stranger.mkdir(parents=True)
    with pytest.raises(NoPermission, match=re.escape(str(stranger))) as refused:
        saved_session(workspace_at(repository), goal="g")
    assert "safe in the journal" in refused.value.message
    found = examine(workspace_at(repository).environment)
    [told] = [each for each in found if each.grade is Grade.PROBLEM]
    assert str(stranger) in (told.location, told.message)
    stranger.rename(stranger.with_name("aside"))
    store = workspace_at(repository).store
    store.replay()
    assert [saved.goal for saved in store.memory().newest()] == ["g"]


def test_linked_own_folder_says_what_to_do(repository: Path, tmp_path: Path) -> None:
    ours, elsewhere = repository / ".git" / "ocm", tmp_path / "elsewhere"
    elsewhere.mkdir()
    ours.symlink_to(elsewhere)
    with pytest.raises(NoPermission, match=re.escape(str(ours))):
        workspace_at(repository)
    environment = read_environment(os.environ, repository, Path.home())
    [told] = [
        each for each in repair(environment).remaining if each.grade is Grade.PROBLEM
    ]
    assert str(ours) in told.message
    assert told.remedy == MOVE_AWAY
    assert list(elsewhere.iterdir()) == []
