"""Patches of files that may be hostile, in work trees that may be odd."""

import os
from pathlib import Path

import pytest
from support.harness import git, make_repository

from gitmem.git.opening import open_repository
from gitmem.git.patches import (
    commit_patches,
    off_branches,
    uncommitted_patches,
)


def test_a_patch_is_of_files_of_the_work_tree_alone(
    repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("outside\n")
    (repository / "link").symlink_to(tmp_path / "outside" / "secret")
    (repository / "folder").symlink_to(tmp_path / "outside")
    (repository / ".gitignore").write_text("ignored\n")
    for name in ("ignored", "-x", "-", "*", "new line\n", "file.txt", "same.txt"):
        (repository / name).write_text("content\n")
    git(repository, "add", "same.txt")
    git(repository, "commit", "--quiet", "--message=same")
    index = (repository / ".git" / "index").read_bytes()
    asked = [
        *("ignored", "-x", "-", "*", "new line\n", "file.txt", "same.txt", "gone"),
        *("link", "folder/secret", "../outside/secret", ".git/config", "/etc/passwd"),
    ]
    patches = dict(uncommitted_patches(open_repository(repository, os.environ), asked))
    assert {path for path, patch in patches.items() if "+content" in patch} == {
        *("-x", "*", "new line\n", "file.txt")
    }
    assert not any("+outside" in patch for patch in patches.values())
    assert patches["ignored"] == patches["same.txt"] == patches["gone"] == ""
    assert (repository / ".git" / "index").read_bytes() == index


def test_all_is_new_where_there_is_no_commit(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "unborn", commits=0)
    for name in ("staged", "untracked"):
        (root / name).write_text("content\n")
    git(root, "add", "staged")
    repository = open_repository(root, os.environ)
    for _, patch in uncommitted_patches(repository, ["staged", "untracked"]):
        assert "new file mode" in patch
        assert "+content" in patch


@pytest.mark.parametrize("paths", [[], ["file.txt"]])
def test_nothing_is_shown_of_no_commit(repository: Path, paths: list[str]) -> None:
    opened = open_repository(repository, os.environ)
    assert commit_patches(opened, [], paths, is_colored=False) == ""
    assert off_branches(opened, []) == []
