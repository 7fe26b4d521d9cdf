"""What was held here, and which files are this repository's, by whatever names."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from support.rounds import every_row

from gitmem.assistants.transcripts.in_repository import RepositoryFolders


def here(*roots: Path, former: Iterable[Path] = ()) -> RepositoryFolders:
    return RepositoryFolders(
        roots, former, is_ignored=lambda path: path.startswith("build/")
    )


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """What makes a folder one: nothing here opens it."""
    return repository_at(tmp_path / "repository")


@pytest.fixture
def worktree(tmp_path: Path) -> Path:
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".git").write_text("gitdir: ../repository/.git/worktrees\n")
    return tmp_path / "linked"


def repository_at(folder: Path) -> Path:
    (folder / ".git").mkdir(parents=True)
    return folder


class TestWhatWasHeldHere:
    def test_the_work_tree_and_every_folder_in_it(self, repository: Path) -> None:
        assert here(repository).holds(str(repository))
        assert here(repository).holds(str(repository / "never" / "made"))

    def test_a_linked_work_tree(
        self, repository: Path, worktree: Path, tmp_path: Path
    ) -> None:
        assert here(repository, worktree).holds(str(worktree / "src"))
        (tmp_path / "link").symlink_to(repository)  # and a folder by a link to it
        assert here(repository).holds(str(tmp_path / "link" / "src"))
        assert here(tmp_path / "link").holds(str(repository / "src"))

    @every_row("name", ["../other", "../repository-2", "..", "/"])
    def test_nothing_beside_or_above(self, repository: Path, name: str) -> None:
        assert not here(repository).holds(str(repository / name))

    def test_no_repository_inside_of_ours(self, repository: Path) -> None:
        repository_at(repository / "vendor" / "inner")
        assert not here(repository).holds(str(repository / "vendor" / "inner" / "a"))
        assert here(repository).holds(str(repository / "vendor"))
        gitlink = repository / "vendor" / ".git"  # a submodule
        gitlink.write_text("gitdir: ../.git/modules/vendor\n")
        assert not here(repository).holds(str(repository / "vendor"))

    @every_row(
        "name",
        ["", "relative", "~/work", "/a\0b", "/\ud800", "/" + "x/" * 9000, "C:\\work"],
    )
    def test_nothing_that_is_no_folder(self, repository: Path, name: str) -> None:
        assert not here(repository).holds(name)

    def test_the_places_where_it_was(self, repository: Path, tmp_path: Path) -> None:
        repository_at(repository / "inner")
        moved = here(repository, former=[tmp_path / "former"])
        assert moved.holds(str(tmp_path / "former" / "src"))
        assert not moved.holds(str(tmp_path / "former-2"))
        assert not moved.holds(str(tmp_path / "former" / "inner"))


class TestFilesAsGitKnowsThem:
    def test_absolute_names_and_those_in_the_folder(
        self, repository: Path, worktree: Path
    ) -> None:
        path_of = here(repository, worktree).path_of
        assert path_of("", str(repository / "src" / "a.py")) == "src/a.py"
        assert path_of(str(repository / "src"), "a.py") == "src/a.py"
        assert path_of(str(repository / "src"), "../b.py") == "b.py"
        assert path_of("", "src/a.py") == "src/a.py"
        assert path_of(str(repository), str(worktree / "src" / "a.py")) == "src/a.py"

    @every_row("folder", [".worktrees", ".claude/worktrees"])
    def test_in_a_deleted_work_tree(self, repository: Path, folder: str) -> None:
        gone = repository / folder / "topic"
        path_of = here(repository).path_of
        assert path_of(str(gone / "src"), "a.py") == "src/a.py"
        gone.mkdir(parents=True)
        path = f"{folder}/topic/src/a.py"
        assert here(repository).path_of(str(gone / "src"), "a.py") == path

    @every_row(
        "name",
        [
            *("../other.py", "/etc/passwd", ".", "", "build/made.js", ".git/config"),
            *(".openCodeMemory/sessions/a.md", "a\0b", "\ud800", "x" * 5000),
        ],
    )
    def test_none_that_is_not_work_here(self, repository: Path, name: str) -> None:
        assert here(repository).path_of(str(repository), name) is None

    def test_none_in_a_repository_inside_or_behind_an_outward_link(
        self, repository: Path, tmp_path: Path
    ) -> None:
        repository_at(repository / "inner")
        (repository / "out").symlink_to(tmp_path)
        (repository / "real").mkdir()
        (repository / "link").symlink_to("real")
        path_of = here(repository).path_of
        assert path_of(str(repository), "inner/a.py") is None
        assert path_of(str(repository), "out/a.py") is None
        assert path_of(str(repository), "link/a.py") == "real/a.py"

    def test_at_their_present_places(self, repository: Path) -> None:
        former = repository.parent / "former"
        repository.rename(former)
        shutil.copytree(former, repository)
        shutil.rmtree(former)
        path_of = here(repository, former=[former]).path_of
        assert path_of(str(former / "src"), "a.py") == "src/a.py"
        assert path_of(str(former), str(former / "b.py")) == "b.py"
        assert path_of(str(former), str(former.parent / "c.py")) is None

    def test_a_former_place_may_be_said_with_a_link(self, repository: Path) -> None:
        link = repository.parent / "link"
        link.symlink_to(repository.parent / "former")
        path_of = here(repository, former=[link]).path_of
        assert path_of("", f"{link}/a.py") == "a.py"
        assert path_of("", os.path.realpath(link) + "/a.py") == "a.py"
