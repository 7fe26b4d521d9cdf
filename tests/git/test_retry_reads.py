"""What is not there for a moment is read once more, and not for ever."""

from pathlib import Path

import pytest

from gitmem.errors import Damaged
from gitmem.git.odb.retry_reads import persistent


class Repacked:
    """Where packs are replaced so often while somebody reads."""

    def __init__(self, common_dir: Path, times: int) -> None:
        self.common_dir = common_dir
        self.left = times
        self.looked_anew = 0

    def look_anew(self) -> None:
        self.looked_anew += 1

    @persistent
    def read(self, name: str) -> str:
        self.left -= 1
        if self.left >= 0:
            raise Damaged(f"No pack has {name} any more.")
        return name


def test_it_is_read_from_what_is_there_then(tmp_path: Path) -> None:
    where = Repacked(tmp_path, 2)
    assert where.read("it") == "it"
    assert where.looked_anew == 2


def test_what_stays_away_is_damaged(tmp_path: Path) -> None:
    where = Repacked(tmp_path, 100)
    with pytest.raises(Damaged):
        where.read("it")
    assert where.left > 90
