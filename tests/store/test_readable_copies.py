"""Readable copies: so many in a folder, and those that were handed out last."""

import os
from pathlib import Path

import pytest
from support.harness import git

from gitmem.git.opening import open_repository
from gitmem.store.readable_copies import write_copy

NAME = "2026-02-23_12-{:02}_cursor_copy"


def written(folder: Path, minute: int, text: str = "x\n") -> Path:
    there = open_repository(folder.parent.parent, os.environ)
    path = write_copy([folder], NAME.format(minute), text, there, os.environ)
    assert path == folder / f"{NAME.format(minute)}.md"
    return path


def stems(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.iterdir())


@pytest.fixture
def folder(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """It takes three copies, and has them: the first was handed out first."""
    monkeypatch.setattr("gitmem.store.readable_copies.MOST_COPIES", 3)
    folder = repository / ".openCodeMemory" / "sessions"
    for minute in range(3):
        os.utime(written(folder, minute), (minute, minute))
    return folder


def test_the_copy_that_was_handed_out_longest_ago_goes(folder: Path) -> None:
    written(folder, 0)
    written(folder, 3)
    assert stems(folder) == [NAME.format(minute) for minute in (0, 2, 3)]


def test_nothing_goes_that_git_tracks_or_that_is_no_copy(folder: Path) -> None:
    git(folder, "add", "--force", f"{NAME.format(0)}.md")
    (folder / "notes.md").write_text("of the user\n")
    os.utime(folder / "notes.md", (0, 0))
    written(folder, 3)
    assert stems(folder) == [*(NAME.format(minute) for minute in range(4)), "notes"]


def test_a_link_goes_and_not_what_it_leads_to(folder: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious.md"
    precious.write_text("of the user\n")
    link = folder / f"{NAME.format(0)}.md"
    link.unlink()
    link.symlink_to(precious)
    os.utime(link, (0, 0), follow_symlinks=False)
    written(folder, 3)
    assert not link.is_symlink()
    assert precious.read_text() == "of the user\n"


def test_a_folder_behind_a_link_is_not_touched(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    with pytest.raises(AssertionError):
        written(folder, 3)
    assert len(stems(elsewhere)) == 3
