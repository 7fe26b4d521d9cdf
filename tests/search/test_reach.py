from pathlib import Path

from search.builders import found, indexed, session

from gitmem.search.ranking import MOST


def test_of_a_huge_session_a_part_is_searched(tmp_path: Path) -> None:
    text = " ".join(["word"] * (MOST // 5))
    huge = session("huge", goal="quokka", work_summary=(f"{text} zebra",))
    index = indexed(tmp_path, [huge])
    assert (found(index, "quokka"), found(index, "zebra")) == (["huge"], [])
