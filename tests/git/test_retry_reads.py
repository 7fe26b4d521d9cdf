"""What is not there for a moment is read once more, and not for ever."""

from pathlib import Path

import pytest

from gitmem.errors import Damaged
from gitmem.git.odb.retry_reads import persistent


class Repacked:
    """Where packs are replaced so often while somebody reads."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.looked_anew = 0

    def look_anew(self) -> None:
        self.looked_anew += 1

    def read(self) -> str:
        self.left -= 1
        if self.left >= 0:
            raise Damaged("No pack has it any more.")
        return "it"


def test_it_is_read_from_what_is_there_then(tmp_path: Path) -> None:
    where = Repacked(2)
    assert persistent(where.read, where.look_anew, tmp_path) == "it"
    assert where.looked_anew == 2


def test_what_stays_away_is_damaged(tmp_path: Path) -> None:
    where = Repacked(100)
    with pytest.raises(Damaged):
        persistent(where.read, where.look_anew, tmp_path)
    assert where.left > 90
