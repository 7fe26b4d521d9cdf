"""`ocm doctor --fix` on repositories that were broken once, and frozen so."""

import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import workspace_at

from gitmem.actions.checking.doctor import examine
from gitmem.actions.mending.mend import Mended, mend
from gitmem.config import Environment, read_environment
from gitmem.model.finding import Code, Finding
from gitmem.workspace import Workspace

FIXTURES = Path(__file__).parents[2] / "fixtures" / "broken"


@dataclass(frozen=True, slots=True)
class Broken:
    """A repository as it was frozen, and the home that belongs to it."""

    folder: Path
    home: Path

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    @property
    def git_dir(self) -> Path:
        return self.repository / ".git"

    @property
    def acknowledged(self) -> set[str]:
        return set(json.loads((self.folder / "acknowledged.json").read_text()))

    @property
    def environment(self) -> Environment:
        return read_environment(os.environ, self.repository, self.home)

    def workspace(self) -> Workspace:
        return workspace_at(self.repository)

    def goals(self) -> set[str]:
        return {each.goal for each in self.workspace().store.memory().newest()}

    def mendable(self, code: Code) -> list[Finding]:
        found = [f for s in examine(self.environment) for f in s.findings]
        return [each for each in found if each.code is code and each.is_mendable]

    def mend(self) -> Mended:
        return mend(self.environment)


Thaw = Callable[[str], Broken]


@pytest.fixture
def thaw(tmp_path: Path, sealed_environment: Path) -> Thaw:
    def thawed(name: str) -> Broken:
        with tarfile.open(FIXTURES / f"{name}.tar.gz") as tar:
            tar.extractall(tmp_path, filter="tar")
        if (ours := tmp_path / "home" / "ocm").exists():
            shutil.copytree(ours, sealed_environment / "ocm")
        return Broken(tmp_path, sealed_environment)

    return thawed


def check_mended(broken: Broken, code: Code) -> Mended:
    """It is said, mended, and said no more; nothing is lost, git is content."""
    assert broken.mendable(code)
    mended = broken.mend()
    assert [each.error for each in mended.mendings if each.error] == []
    assert any(each.code is code for one in mended.mendings for each in one.found)
    left = [each for section in mended.left for each in section.findings]
    assert [each for each in left if each.is_mendable] == []
    assert broken.acknowledged <= broken.goals()
    check_git(broken.repository)
    assert broken.mend().mendings == ()
    return mended


def check_git(repository: Path) -> None:
    done = subprocess.run(
        ["git", "fsck", "--full", "--no-dangling"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if "hecking" not in line]
    assert (done.returncode, done.stdout, said) == (0, "", [])


ALL = pytest.mark.endurance
CASES = (
    ("ref-empty", Code.MEMORY),
    ("object-gone", Code.OBJECTS),
    ("index-cut", Code.INDEX),
    pytest.param("index-stale", Code.INDEX, marks=ALL),
    pytest.param("index-of-another-version", Code.INDEX, marks=ALL),
    pytest.param("dead-lock", Code.LOCK, marks=ALL),
    pytest.param("vanished-session", Code.VANISHED, marks=ALL),
    pytest.param("copies-stale", Code.STALE_COPY, marks=ALL),
    pytest.param("object-at-remote", Code.OBJECTS, marks=ALL),
    pytest.param("object-gone-earlier", Code.OBJECTS, marks=ALL),
    pytest.param("object-empty", Code.OBJECTS, marks=ALL),
    pytest.param("tree-gone", Code.MEMORY, marks=ALL),
    pytest.param("commit-gone", Code.OBJECTS, marks=ALL),
    pytest.param("ref-of-nuls", Code.MEMORY, marks=ALL),
    pytest.param("ref-nowhere", Code.MEMORY, marks=ALL),
    pytest.param("ref-nowhere-without-reflog", Code.MEMORY, marks=ALL),
    pytest.param("ref-lost", Code.MEMORY, marks=ALL),
    pytest.param("ref-symbolic", Code.MEMORY, marks=ALL),
    pytest.param("conversations-nowhere", Code.CONVERSATIONS, marks=ALL),
    pytest.param("files-damaged", Code.OWN_FILE, marks=ALL),
    pytest.param("permissions-open", Code.PERMISSIONS, marks=ALL),
    pytest.param("half-installed", Code.LAUNCHER, marks=ALL),
    pytest.param("registry-damaged", Code.REGISTRY, marks=ALL),
)


@pytest.mark.parametrize(("name", "code"), CASES)
def test_what_is_found_is_mended(thaw: Thaw, name: str, code: Code) -> None:
    check_mended(thaw(name), code)
