"""What stands in our places and is not ours is named, and nothing beyond it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.git.layout import own_folders, path_conflicts


def link(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    ("name", "put"),
    [("ocm", link), ("ocm/journal", os.mkfifo), ("ocm/sessions/x", link)],
)
def test_links_and_pipes_are_named(
    tmp_path: Path, name: str, put: Callable[[Path], None]
) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    put(tmp_path / name)
    assert list(path_conflicts(tmp_path)) == [tmp_path / name]


def test_a_file_for_a_folder_is_named(tmp_path: Path) -> None:
    ours = tmp_path / "ocm"
    (ours / "journal" / "past").mkdir(parents=True)
    for sound in ("lock", "journal/x.jsonl"):
        (ours / sound).touch()
    assert list(path_conflicts(tmp_path)) == []
    (ours / "sessions").touch()
    (ours / "log").mkdir()
    assert set(path_conflicts(tmp_path)) == {ours / "sessions", ours / "log"}


def test_nothing_is_looked_for_behind_a_link(tmp_path: Path) -> None:
    elsewhere, ours = tmp_path / "elsewhere", tmp_path / "git" / "ocm"
    elsewhere.mkdir()
    (elsewhere / "x").symlink_to("nowhere")
    ours.mkdir(parents=True)
    (ours / "journal").symlink_to(elsewhere)
    assert list(path_conflicts(tmp_path / "git")) == [ours / "journal"]
    assert own_folders(tmp_path / "git") == [ours]
