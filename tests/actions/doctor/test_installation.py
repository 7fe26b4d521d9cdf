"""What `ocm doctor` finds on the machine, in what starts us, and among git hooks."""

import re
import sys
from pathlib import Path

import pytest
from support.doctor import NOTE, OK, PROBLEM, WARNING, Place
from support.git_versions import path_with_old_git
from support.harness import git
from support.installing import installed
from support.rounds import every_row
from support.workspaces import workspace_at

from gitmem import __version__
from gitmem.actions.doctor import installation as check_installation
from gitmem.actions.doctor.finding import INIT, Code, Grade
from gitmem.config import read_environment
from gitmem.git.opening import OLDEST_GIT


def test_versions_are_told(healthy: Place) -> None:
    what = healthy.found(Code.VERSIONS).message
    assert f"gitmem {__version__}," in what
    assert re.search(r"Python 3\.\d+.*pygit2 .*libgit2 .*git \d", what)


def test_a_git_that_is_too_old_to_share_is_told(healthy: Place, tmp_path: Path) -> None:
    found = healthy.found(Code.VERSIONS, PATH=path_with_old_git(tmp_path / "old"))
    assert (found.grade, OLDEST_GIT in found.remedy) == (WARNING, True)


def test_other_ocm_on_the_path_is_named(place: Place, tmp_path: Path) -> None:
    script = tmp_path / "ocm"

    def grade() -> Grade:
        given = {"PATH": str(tmp_path)}
        environment = read_environment(given, place.repository, place.home)
        [found] = check_installation.on_path(environment)
        return found.grade

    assert grade() is NOTE
    for python, expected in ((sys.executable, OK), ("/another/python", WARNING)):
        script.write_text(f"#!{python}\n")
        script.chmod(0o755)
        assert grade() is expected


def test_a_launcher_that_is_not_as_it_should_be(healthy: Place) -> None:
    healthy.launcher.chmod(0o600)
    [found] = healthy.grave()
    assert (found.code, found.grade, found.remedy) == (Code.LAUNCHER, PROBLEM, INIT)
    text = healthy.launcher.read_text().replace("# ocm run 1", "# ocm run 0")
    healthy.launcher.write_text(text)
    healthy.launcher.chmod(0o755)
    [found] = healthy.grave()
    assert (found.code, found.grade, found.remedy) == (Code.LAUNCHER, WARNING, INIT)


@every_row(
    ("script", "words"),
    [
        (None, "is not there"),
        ("exit 1", "cannot import gitmem"),
        ("echo 0.0.1", f"has gitmem 0.0.1, not {__version__}"),
        ("exec sleep 5", "took more than"),
    ],
)
def test_a_python_that_cannot_be_used(
    healthy: Place, monkeypatch: pytest.MonkeyPatch, script: str | None, words: str
) -> None:
    monkeypatch.setattr(check_installation, "PATIENCE", 0.2)
    python = Path(sys.executable)
    python.unlink(missing_ok=True)
    if script:
        python.write_text(f"#!/bin/sh\n{script}\n")
        python.chmod(0o755)
    launcher, found = check_installation.launcher(workspace_at(healthy.repository))
    assert launcher.grade is OK
    assert (found.grade, found.location) == (PROBLEM, str(python))
    assert words in found.message
    assert "ocm init" in found.remedy


def test_a_hook_that_does_not_call_ocm_is_told(healthy: Place) -> None:
    git(healthy.repository, "config", "core.hooksPath", ".husky/_")
    found = healthy.found(Code.GIT_HOOK, "post-commit")
    assert found.grade is WARNING
    assert "husky" in found.message
    assert "ocm/run" in found.remedy
    git(healthy.repository, "config", "--unset", "core.hooksPath")
    (healthy.common_dir / "hooks" / "post-commit").chmod(0o600)
    found = healthy.found(Code.GIT_HOOK, "post-commit")
    assert "not executable" in found.message
    assert found.remedy == INIT


@pytest.mark.endurance
def test_pushes_are_told_where_they_were_asked_for(healthy: Place) -> None:
    git(healthy.repository, "config", "ocm.autoPush", "true")
    found = healthy.found(Code.GIT_HOOK, "pre-push")
    assert (found.grade, found.remedy) == (WARNING, INIT)
    installed(workspace_at(healthy.repository))
    assert "tells ocm of pushes" in healthy.found(Code.GIT_HOOK, "pre-push").message
    git(healthy.repository, "config", "--unset", "ocm.autoPush")
    found = healthy.found(Code.GIT_HOOK, "pre-push")
    assert "ocm.autoPush is off" in found.message
    assert found.remedy == INIT
