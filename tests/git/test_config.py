"""Settings are written as the user would, and nothing else in the file changes."""

import subprocess
from pathlib import Path

import pytest
from support.harness import git, make_repository
from support.rounds import every_row

from gitmem.errors import Busy
from gitmem.git.config import add_config, remove_config, set_config, sources_of
from gitmem.git.libgit2.repository import open_repository

KEY = "remote.Up.Stream.fetch"
OURS = "+refs/ocm/s*:refs/ocm/remotes/Up.Stream/s*"
NEAR = "+refs/ocm/s*:refs/ocm/remotes/Up-Stream/s*"
REMOTE = '[remote "Up.Stream"]\n\turl = /nowhere\n'


def test_settings_are_set_and_removed_in_this_repository_alone(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    git(root, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    linked = open_repository(tmp_path / "linked")
    git(root, "config", "--global", "ocm.notes", "false")
    set_config(linked, "ocm.notes", "true")
    assert git(root, "config", "--local", "ocm.notes") == "true"
    assert linked.config("ocm.notes") == open_repository(root).config("ocm.notes")
    git(root, "config", "--add", "ocm.notes", "twice")
    set_config(linked, "ocm.notes", None)
    assert linked.config("ocm.notes") == git(root, "config", "ocm.notes") == "false"
    set_config(linked, "ocm.notes", None)


def test_values_are_those_of_git_in_its_order(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    git(root, "config", "--global", "ocm.x", "everywhere")
    git(root, "config", "ocm.x", "here")
    opened = open_repository(root)
    assert opened.config_values("OCM.X") == ["everywhere", "here"]
    (root / ".git" / "more").write_bytes(b"[ocm]\n\tx\n\tx = included\n")
    git(root, "config", "include.path", "more")
    assert opened.config_values("ocm.x") == ["everywhere", "here", "", "included"]
    (root / ".git" / "more").write_bytes(b"[ocm]\n\tx = \xff\n")
    assert opened.config_values("ocm.x") == ["everywhere", "here", "\ufffd"]
    assert opened.config_values("no key") == opened.config_values("ocm.none") == []


@every_row(
    "theirs",
    [
        f"{REMOTE}\tfetch = +refs/heads/*:refs/remotes/Up.Stream/*\n; the end\n",
        f"[ocm] trust = ada@example.com ; a friend\n{REMOTE}# no more\n",
        REMOTE.replace("\n", "\r\n"),
        '[remote "Up.Stream"] fetch = +refs/a:refs/b\n\turl = /nowhere\n',
    ],
)
def test_setting_and_unsetting_leaves_nothing(repository: Path, theirs: str) -> None:
    config = repository / ".git" / "config"
    plain = config.read_bytes()
    config.write_bytes(before := plain + theirs.encode())
    config.chmod(0o664)
    opened = open_repository(repository)
    for value in "true", "false":
        set_config(opened, "ocm.notes", value)
    add_config(opened, KEY, OURS)
    assert git(repository, "config", "--get-all", KEY).split("\n")[-1] == OURS
    assert git(repository, "config", "ocm.notes") == "false"
    remove_config(opened, KEY, OURS)
    set_config(opened, "ocm.notes", None)
    assert config.read_bytes() == before
    assert config.stat().st_mode & 0o777 == 0o664
    config.write_bytes(plain)


def test_a_value_is_added_once_and_removed_without_the_others(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    git(root, "remote", "add", "Up.Stream", "/nowhere")
    git(root, "config", "--add", KEY, NEAR)
    repository = open_repository(root)
    for _ in "twice":
        add_config(repository, KEY, OURS)
    theirs = "+refs/heads/*:refs/remotes/Up.Stream/*"
    assert repository.config_values(KEY) == [theirs, NEAR, OURS]
    for _ in "twice":
        remove_config(repository, KEY, OURS)
    assert repository.config_values(KEY) == [theirs, NEAR]


def test_settings_that_another_program_is_writing_are_busy(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r")
    (root / ".git" / "config.lock").touch()
    with pytest.raises(Busy):
        set_config(open_repository(root), "ocm.notes", "true")


HERE = "refs/ocm/sessions"


@every_row(
    ("refspecs", "source"),
    [
        (["refs/ocm/*:refs/ocm/*"], HERE),
        (["+refs/ocm/sessions:refs/ocm/sessions"], HERE),
        (["+refs/heads/s*ns:refs/ocm/s*ns"], "refs/heads/sessions"),
        (["+refs/ocm/sessions*:refs/ocm/remotes/origin/sessions*"], None),
        (["+refs/*:refs/*", "^refs/ocm/*"], None),
        (["+refs/*:refs/*", "^refs/ocm/sessions"], None),
        (["+refs/*:refs/*", "^refs/ocm/conversations"], HERE),
        (["refs/ocm/sessions", ""], None),
    ],
)
def test_what_a_fetch_writes_to_our_ref(
    refspecs: list[str], source: str | None, repository: Path
) -> None:
    assert sources_of(refspecs, HERE) == ([source] if source else [])
    for ref in (HERE, "refs/heads/sessions"):
        git(repository, "update-ref", ref, "HEAD")
    here = repository.parent / str(len([*repository.parent.iterdir()]))
    git(repository, "init", "--quiet", "--bare", str(here))
    fetch = ["git", "fetch", "--quiet", str(repository), *filter(None, refspecs)]
    subprocess.run(fetch, cwd=here, check=False, capture_output=True)
    assert bool(git(here, "for-each-ref", HERE)) is (source is not None)
