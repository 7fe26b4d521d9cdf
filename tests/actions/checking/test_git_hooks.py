"""What `ocm doctor` finds among git's hooks."""

import pytest
from examining import WARNING, Place
from harness import git
from installing import installed
from support import workspace_at

from gitmem.actions.doctor.finding import INIT, Code


def test_hooks_that_are_not_there(healthy: Place) -> None:
    (healthy.common_dir / "hooks" / "post-commit").unlink()
    [found] = healthy.grave()
    assert (found.code, found.about) == (Code.GIT_HOOK, "post-commit")
    assert found.mend == INIT


def test_one_of_an_older_version(healthy: Place) -> None:
    hook = healthy.common_dir / "hooks" / "post-commit"
    hook.write_text(hook.read_text().replace("# ocm hook 1", "# ocm hook 0"))
    [found] = healthy.grave()
    assert "of version 0" in found.what
    assert found.mend == INIT


def test_one_that_git_does_not_run(healthy: Place) -> None:
    (healthy.common_dir / "hooks" / "post-commit").chmod(0o600)
    [found] = healthy.grave()
    assert "not executable" in found.what
    assert found.mend == INIT


@pytest.mark.endurance
def test_one_that_runs_the_one_before_it(place: Place) -> None:
    hook = place.write(".git/hooks/post-commit", "#!/bin/sh\ntrue\n")
    hook.chmod(0o755)
    workspace = workspace_at(place.repository)
    installed(workspace)
    assert "before it" in place.found(Code.GIT_HOOK, "post-commit").what


def test_a_manager_of_hooks_is_named_with_the_line_to_add(healthy: Place) -> None:
    git(healthy.repository, "config", "core.hooksPath", ".husky/_")
    found = healthy.found(Code.GIT_HOOK, "post-commit")
    assert found.grade is WARNING
    assert "husky" in found.what
    assert "ocm/run" in found.mend


@pytest.mark.endurance
def test_pushes_are_told_where_they_were_asked_for(healthy: Place) -> None:
    git(healthy.repository, "config", "ocm.autoPush", "true")
    found = healthy.found(Code.GIT_HOOK, "pre-push")
    assert (found.grade, found.mend) == (WARNING, INIT)
    installed(workspace_at(healthy.repository))
    assert "tells ocm of pushes" in healthy.found(Code.GIT_HOOK, "pre-push").what
    git(healthy.repository, "config", "--unset", "ocm.autoPush")
    found = healthy.found(Code.GIT_HOOK, "pre-push")
    assert "ocm.autoPush does not say yes" in found.what
    assert found.mend == INIT
