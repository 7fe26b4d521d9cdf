"""The hook that comes and goes with `ocm share`."""

from pathlib import Path

import pytest
from cli.running import Ocm
from support.harness import git

LFS = '#!/bin/sh\ncommand -v git-lfs || exit 2\ngit lfs pre-push "$@"\n'


@pytest.fixture
def hook(repository: Path, tmp_path: Path) -> Path:
    """Where it is, in a repository that pushes large files."""
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "origin.git"))
    path = repository / ".git" / "hooks" / "pre-push"
    path.write_text(LFS)
    path.chmod(0o755)
    return path


def test_it_is_there_while_memory_goes_along(ocm: Ocm, hook: Path) -> None:
    assert ocm("share", "on", "--yes").status == 0
    assert hook.read_text() == LFS
    said = ocm("share", "on", "--auto-push", "--yes").out
    assert "git tells ocm of pushes, after the hook that is there" in said
    assert "# ocm hook 1" in hook.read_text()
    ocm("share", "on", "--no-auto-push", "--yes")
    assert hook.read_text() == LFS
    ocm("share", "on", "--auto-push", "--yes", "--json")
    assert ocm("share", "off").status == 0
    assert hook.read_text() == LFS
    assert not hook.with_name("pre-push.before-ocm").exists()


@pytest.mark.endurance
def test_obstacle_is_named_for_auto_push(
    ocm: Ocm, repository: Path, hook: Path
) -> None:
    ocm("share", "on", "--auto-push", "--yes")
    assert ocm("share").err == ""
    hook.write_text(LFS)  # as `git lfs update --force` does
    for command in (("share",), ("status",), ("sync",)):
        said = ocm(*command).err
        assert "auto-push sends nothing:" in said
        assert "does not lead to ocm" in said
    assert "pre-push" in ocm("share", "status", "--json").json["auto_push_trouble"]
    ocm("share", "on", "--auto-push", "--yes")
    (repository / ".git" / "ocm" / "run").unlink()
    assert "ocm/run is not there" in ocm("share").err


def test_init_makes_up_for_it(ocm: Ocm, repository: Path, hook: Path) -> None:
    git(repository, "config", "ocm.autoPush", "true")
    assert "git tells ocm of pushes" in ocm("init", "--verbose").out
    assert "# ocm hook 1" in hook.read_text()
    git(repository, "config", "--unset", "ocm.autoPush")
    assert "git tells ocm of pushes no more" in ocm("init", "--verbose").out
    assert hook.read_text() == LFS
