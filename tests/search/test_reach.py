import time
from dataclasses import replace
from pathlib import Path

import pytest
from search.builders import found, indexed, session

from gitmem.documents.changes import IndexEntry
from gitmem.git.values import Change, FileChange
from gitmem.search.passages import MOST, within_reach


def test_a_usual_session_is_searched_as_a_whole() -> None:
    told = IndexEntry(
        session("one", goal="Stop it", decisions=("a", "b"), files=["c.py"])
    )
    assert within_reach(told) is told


def test_of_a_huge_session_the_best_is_searched() -> None:
    files = tuple(FileChange(f"{n}.py", Change.MODIFIED) for n in range(5))
    huge = replace(
        session("one", goal="Stop it", decisions=("x" * (MOST - 100), "y" * 100)),
        files=files,
        extra_body="z" * MOST,
    )
    cut = within_reach(IndexEntry(huge)).session
    assert (cut.goal, cut.decisions) == (huge.goal, huge.decisions[:1])
    assert cut.files == files
    assert len(cut.extra_body) < 100


@pytest.mark.slow
def test_a_document_of_twenty_megabytes_is_found_in_a_moment(tmp_path: Path) -> None:
    huge = session("huge", goal="quokka", decisions=("word flood",) * 1_800_000)
    began = time.process_time()
    assert found(indexed(tmp_path, [huge, session("small")]), "quokka") == ["huge"]
    assert time.process_time() - began < 5
