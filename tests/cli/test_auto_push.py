"""The hook that comes and goes with `ocm share`."""

from pathlib import Path

import pytest
from cli.running import Ocm
from support.harness import git

LFS = '#!/bin/sh\ncommand -v git-lfs || exit 2\ngit lfs pre-push "$@"\n'


@pytest.fixture
def hook(repository: Path, tmp_path: Path) -> Path:
    """Where it is, in a repository with a remote."""
    git(tmp_path, "init", "--quiet", "--bare", "origin.git")
    git(repository, "remote", "add", "origin", str(tmp_path / "origin.git"))
    return repository / ".git" / "hooks" / "pre-push"


def of_lfs(hook: Path) -> None:
    hook.write_text(LFS)
    hook.chmod(0o755)


def test_it_is_there_while_memory_goes_along(ocm: Ocm, hook: Path) -> None:
    assert ocm("share", "on", "--yes").status == 0
    assert not hook.exists()
    said = ocm("share", "on", "--auto-push", "--yes").out
    assert "git tells ocm of pushes" in said
    assert "# ocm hook 2" in hook.read_text()
    ocm("share", "on", "--no-auto-push", "--yes")
    assert not hook.exists()
    ocm("share", "on", "--auto-push", "--yes", "--json")
    assert ocm("share", "off").status == 0
    assert not hook.exists()


def test_a_hook_that_is_there_gets_a_line(ocm: Ocm, hook: Path) -> None:
    of_lfs(hook)
    said = ocm("share", "on", "--auto-push", "--yes").out
    assert "is there already; have it run this" in said
    line = next(line.strip() for line in said.splitlines() if "rev-parse" in line)
    assert hook.read_text() == LFS
    hook.write_text(LFS + line)
    assert "auto-push sends nothing" not in ocm("share").err


@pytest.mark.endurance
def test_obstacle_is_named_for_auto_push(
    ocm: Ocm, repository: Path, hook: Path
) -> None:
    ocm("share", "on", "--auto-push", "--yes")
    assert ocm("share").err == ""
    of_lfs(hook)  # as `git lfs update --force` does
    for command in (("share",), ("status",), ("sync",)):
        said = ocm(*command).err
        assert "auto-push sends nothing:" in said
        assert "does not lead to ocm" in said
    assert "pre-push" in ocm("share", "status", "--json").json["auto_push_trouble"]
    hook.unlink()
    ocm("share", "on", "--auto-push", "--yes")
    (repository / ".git" / "ocm" / "run").unlink()
    assert "ocm/run is not there" in ocm("share").err


def test_init_makes_up_for_it(ocm: Ocm, repository: Path, hook: Path) -> None:
    git(repository, "config", "ocm.autoPush", "true")
    assert "git tells ocm of pushes" in ocm("init", "--verbose").out
    assert "# ocm hook 2" in hook.read_text()
    git(repository, "config", "--unset", "ocm.autoPush")
    assert "git tells ocm of pushes no more" in ocm("init", "--verbose").out
    assert not hook.exists()
