import time
from pathlib import Path

import pytest
from search.builders import found, indexed, session

from gitmem.search.passages import MOST


def test_of_a_huge_session_a_part_is_searched(tmp_path: Path) -> None:
    text = " ".join(["word"] * (MOST // 5))
    huge = session("huge", goal="quokka", work_summary=(f"{text} zebra",))
    index = indexed(tmp_path, [huge])
    assert (found(index, "quokka"), found(index, "zebra")) == (["huge"], [])


@pytest.mark.slow
def test_a_document_of_twenty_megabytes_is_found_in_a_moment(tmp_path: Path) -> None:
    huge = session("huge", goal="quokka", decisions=("word flood",) * 1_800_000)
    began = time.process_time()
    assert found(indexed(tmp_path, [huge, session("small")]), "quokka") == ["huge"]
    assert time.process_time() - began < 5
