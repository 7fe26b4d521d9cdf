"""Through what a repository is opened, and whose settings and identity count there."""

import os
from pathlib import Path

import pytest
from support.git_versions import needs_newer_git, use_newer_git
from support.harness import NOON, git, make_repository
from support.rounds import every_row

from gitmem.git.libgit2 import repository as libgit2
from gitmem.git.libgit2.repository import Libgit2Repository
from gitmem.git.opening import open_repository, open_through_git
from gitmem.git.redaction_settings import user_rules
from gitmem.store.trees.committing import author

ADDRESS = "ada@work.example"
WORK = f"[user]\nemail = {ADDRESS}\n[author]\nname = Ada L\n"
CONDITION = 'includeIf "hasconfig:remote.*.url:ssh://git@work.example/**"'


@every_row(
    "key",
    [
        "remote.origin.promisor",
        "remote.a.b.promisor",
        "remote.origin.partialclonefilter",
        "extensions.partialClone",
    ],
)
def test_what_a_remote_promised_is_for_git(repository: Path, key: str) -> None:
    before = open_repository(repository, os.environ)
    assert isinstance(before, Libgit2Repository)
    assert not before.is_partial
    git(repository, "config", key, "true")
    opened = open_repository(repository, os.environ)
    git(repository, "config", "--unset", key)
    assert not isinstance(opened, Libgit2Repository)


USER = "[user]\nname = Ada\nemail = ada@example.com\n"
INCLUDE = f'{USER}[include]\npath = "HOME/included"\n'  # of an include


@pytest.mark.parametrize(
    ("settings", "variables"),
    [
        (INCLUDE, {}),
        (USER, {"GIT_CONFIG_GLOBAL": "HOME/work"}),
        ("", {"GIT_CONFIG_SYSTEM": "HOME/work", "GIT_CONFIG_NOSYSTEM": "false"}),
        (USER, {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.email"}),
        (USER, {"GIT_AUTHOR_NAME": "Ada W", "GIT_AUTHOR_EMAIL": ADDRESS}),
        (f"{USER}[author]\nemail = {ADDRESS}\n", {}),
        ("[user]\nname = Ada\n", {"EMAIL": ADDRESS}),
    ],
    ids=["include", "global", "system", "count", "author", "section", "address"],
)
def test_the_author_is_the_one_that_git_has(
    sealed_environment: Path,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: str,
    variables: dict[str, str],
) -> None:
    home = sealed_environment
    git(repository, "remote", "add", "origin", "ssh://git@work.example/a")
    (home / "work").write_text(WORK)
    (home / "included").write_text(f'[{CONDITION}]\npath = "{home}/work"\n')
    (home / ".gitconfig").write_text(settings.replace("HOME", str(home)))
    for name, value in {**variables, "GIT_CONFIG_VALUE_0": ADDRESS}.items():
        monkeypatch.setenv(name, value.replace("HOME", str(home)))
    expected = git(repository, "var", "GIT_AUTHOR_IDENT")
    assert ADDRESS in expected
    for opening in (open_repository, open_through_git):
        by_us = author(opening(repository, os.environ), NOON)
        assert expected.startswith(f"{by_us.name} <{by_us.email}> ")


def test_settings_for_all_users_may_be_left_out(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gitconfig").write_text("[ocm]\nx = 1\n")
    monkeypatch.setattr(libgit2, "_SYSTEM_PATH", str(tmp_path))
    for ignored, value in (("true", None), ("0", "1"), ("1", None)):
        variables = {**os.environ, "GIT_CONFIG_NOSYSTEM": ignored}
        opened = libgit2.open_repository(repository, None, variables)
        assert opened.config("ocm.x") == value


def test_a_rule_in_a_variable_counts(repository: Path) -> None:
    rule = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "ocm.redact.mine.pattern"}
    variables = {**os.environ, **rule, "GIT_CONFIG_VALUE_0": "x[0-9]+"}
    assert len(user_rules(repository / ".git", variables)) == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_git_is_asked_whom_it_trusts(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (repository, repository / ".git"):
        os.chown(path, 65534, -1)
    trusting = tmp_path / "trusting"
    trusting.write_text(f'[safe]\ndirectory = "{repository}"\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(trusting))
    assert open_repository(repository, os.environ).head().commit


@needs_newer_git
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_trusted_folder_is_open(
    sealed_environment: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_newer_git(monkeypatch)
    for path in (repository, repository / ".git"):
        os.chown(path, 65534, -1)
    settings = sealed_environment / ".gitconfig"
    settings.write_text(f'[safe]\ndirectory = "{repository.parent}/*"\n')
    assert open_repository(repository, os.environ).head().commit


def test_a_work_tree_is_found_by_a_relative_path(tmp_path: Path) -> None:
    root, linked = make_repository(tmp_path / "r"), tmp_path / "linked"
    git(root, "worktree", "add", "-q", str(linked))
    git_dir = root / ".git" / "worktrees" / "linked"
    (git_dir / "gitdir").write_text("../../../../linked/.git\n")
    (linked / ".git").write_text("gitdir: ../r/.git/worktrees/linked\n")
    for opening in (open_repository, open_through_git):
        opened = opening(tmp_path, os.environ, git_dir)
        assert opened.work_tree == linked.resolve()
        assert opened.common_dir == (root / ".git").resolve()
