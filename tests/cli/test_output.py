from collections.abc import Callable

import pytest
from cli.running import Ocm
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from gitmem.cli import output
from gitmem.cli.progress import indexing

WORDS = st.lists(st.text("ab漢é-", min_size=1, max_size=30), min_size=1, max_size=20)


@given(WORDS, st.integers(1, 60))
def test_lines_are_broken_between_words(words: list[str], width: int) -> None:
    found = output.wrapped([(" ".join(words), "bold")], width, 0)
    lines = ["".join(text for text, _ in line) for line in found]
    assert " ".join(lines) == " ".join(words)
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        assert cell_len(line) <= width or " " not in line
        if following is not None:
            assert cell_len(f"{line} {following.split(' ')[0]}") > width


def test_wide_characters_are_cut_at_the_edge_of_the_terminal(
    ocm: Ocm, terminal: Callable[[int], None]
) -> None:
    ocm("checkpoint", "--goal", "記憶" * 60)
    terminal(41)
    (goal,) = [line for line in ocm("list").text.splitlines() if "記" in line]
    assert goal.endswith("…")
    assert 39 <= cell_len(goal) <= 41


def test_progress_off_terminals_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with indexing() as progress:
        for done in range(1, 4):
            progress(done, 3_000)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "Reading the memory: 3,000 sessions.\n"
