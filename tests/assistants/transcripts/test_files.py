"""Which files are read as transcripts, and in which order."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gitmem.assistants.transcripts.transcript_files import files_in, require_there
from gitmem.errors import NotFound


def written(path: Path, seconds: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (seconds, seconds))
    return path


def names(*places: Path) -> list[str]:
    return [file.path.name for file in files_in(places, "*.jsonl")]


def test_the_oldest_comes_first_and_each_once(tmp_path: Path) -> None:
    new = written(tmp_path / "a.jsonl", 300)
    written(tmp_path / "deep" / "er" / "b.jsonl", 100)
    written(tmp_path / "c.jsonl", 200)
    assert names(tmp_path, tmp_path / "deep", new) == ["b.jsonl", "c.jsonl", "a.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder in memory")
@pytest.mark.parametrize("seconds", [99_999_999_999_999, -99_999_999_999])
def test_a_time_that_no_calendar_has_keeps_no_file_out(seconds: int) -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        written(Path(folder, "a.jsonl"), seconds)
        written(Path(folder, "b.jsonl"))
        assert names(Path(folder)) == ["b.jsonl", "a.jsonl"]


def test_a_file_that_is_named_needs_no_pattern(tmp_path: Path) -> None:
    written(tmp_path / "notes.txt")
    assert names(tmp_path) == []
    assert names(tmp_path / "notes.txt") == ["notes.txt"]


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    outside = written(tmp_path / "outside" / "secret.jsonl")
    folder = tmp_path / "folder"
    folder.mkdir()
    os.mkfifo(folder / "fifo.jsonl")
    (folder / "link.jsonl").symlink_to(outside)
    (folder / "null.jsonl").symlink_to("/dev/null")
    (folder / "linked").symlink_to(outside.parent)
    (folder / "folder.jsonl").mkdir()
    assert names(folder) == []
    assert names(folder / "fifo.jsonl", Path("/dev/null")) == []


def test_a_link_that_is_named_is_followed(tmp_path: Path) -> None:
    written(tmp_path / "real.jsonl")
    (tmp_path / "link").symlink_to("real.jsonl")
    assert names(tmp_path / "link") == ["real.jsonl"]


def test_a_place_may_be_missing_unless_somebody_named_it(tmp_path: Path) -> None:
    assert names(tmp_path / "nowhere") == []
    with pytest.raises(NotFound, match="nowhere"):
        require_there([tmp_path, tmp_path / "nowhere"])
