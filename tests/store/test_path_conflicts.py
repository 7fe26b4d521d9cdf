"""What stands in our places and is not ours is seen, and moved aside."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.store.path_conflicts import misplaced, own_folders

OBJECT = "ocm/kept/" + "1" * 40


def link(path: Path) -> None:
    path.symlink_to("nowhere")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *((each, "a folder") for each in ("ocm", "ocm/journal", "ocm/kept")),
        *((each, "a file") for each in ("ocm/lock", "ocm/journal/x.mark", OBJECT)),
    ],
)
@pytest.mark.parametrize(
    ("put", "kind"),
    [
        (os.mkfifo, "a pipe"),
        (link, "a symbolic link"),
        (Path.touch, "a file"),
        (Path.mkdir, "a folder"),
    ],
)
def test_obstacles_are_named_and_moved_aside(
    tmp_path: Path, name: str, wanted: str, put: Callable[[Path], None], kind: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(2):
        put(path)
        found = [(each.name, each.kind, each.wanted) for each in misplaced(tmp_path)]
        assert found == ([] if kind == wanted else [(name, kind, wanted)])
        for each in misplaced(tmp_path):
            assert os.path.lexists(each.set_aside())
        assert list(misplaced(tmp_path)) == []
        if kind == wanted:
            return
    assert len(list(path.parent.iterdir())) == 2


def test_nothing_is_looked_for_behind_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "past" / "x.json").mkdir(parents=True)
    (elsewhere / "x.jsonl").mkdir()
    ours = tmp_path / "git" / "ocm"
    ours.mkdir(parents=True)
    (ours / "journal").symlink_to(elsewhere)
    [found] = misplaced(tmp_path / "git")
    assert (found.name, found.may_be_meant) == ("ocm/journal", True)
    assert own_folders(tmp_path / "git") == [ours]


def test_what_bears_no_name_of_ours_is_left_alone(tmp_path: Path) -> None:
    for name in ("ocm/theirs", "ocm/journal/theirs", "ocm/kept/theirs.aside"):
        (tmp_path / name).mkdir(parents=True)
    assert list(misplaced(tmp_path)) == []


def test_what_another_process_mends_meanwhile_is_not_moved(tmp_path: Path) -> None:
    ours = tmp_path / "ocm"
    for name in ("log", "lock", "told-x"):
        (ours / name).mkdir(parents=True)
    for name in ("journal", "kept"):
        (ours / name).touch()
    found = misplaced(tmp_path)
    assert next(found).name == "ocm/lock"
    for name in ("log", "told-x"):
        (ours / name).rmdir()
    (ours / "told-x").touch()
    assert next(found).name == "ocm/journal"
    (ours / "kept").unlink()
    (ours / "kept").mkdir()
    assert list(found) == []
