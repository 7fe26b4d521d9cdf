"""Files that are replaced: whole, or not at all."""

import os
import subprocess
from pathlib import Path

import pytest

from gitmem.git.files import left_of, replace_file


def test_what_cannot_be_put_in_place_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(IsADirectoryError):
        replace_file(tmp_path / "settings.json", b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


def test_what_a_process_that_is_gone_left_is_found(tmp_path: Path) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    for name in (f".a.{gone.pid}", f".a.{os.getpid()}", ".a.old", f".ab.{gone.pid}"):
        (tmp_path / name).touch()
    assert left_of(tmp_path / "a") == [tmp_path / f".a.{gone.pid}"]
    assert left_of(tmp_path / "no folder" / "a") == []
