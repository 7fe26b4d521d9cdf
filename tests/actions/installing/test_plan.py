"""Plans: nothing is written but by carrying them out, and what fails fails alone."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.rounds import rounds

from gitmem.actions.installing.plan import (
    FileEdit,
    Step,
    StepOutcome,
    carry_out,
    difference,
)


def _new(path: Path) -> FileEdit:
    return FileEdit(path, None, b"new\n")


def outcome_of(step: Step) -> tuple[StepOutcome, str]:
    (result,) = carry_out([step])
    return result.outcome, result.reason


def test_a_step_is_done_once(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "file"
    step = Step(state="it is there", changes=(FileEdit(path, None, b"x", 0o755),))
    assert outcome_of(step) == (StepOutcome.DONE, "")
    assert path.read_bytes() == b"x"
    assert path.stat().st_mode & 0o777 == 0o755
    assert outcome_of(Step(state="it is there")) == (StepOutcome.ALREADY, "")


def test_what_fails_holds_up_no_other(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    steps = [
        Step(state="a", changes=(_new(tmp_path / "folder"),)),
        Step(state="b", fault="line 3: a comma is missing"),
        Step(state="c", why_not="git tracks it"),
        Step(state="d", changes=(_new(tmp_path / "d"),)),
    ]
    results = list(carry_out(steps))
    assert [each.outcome for each in results] == ["failed", "failed", "skipped", "done"]
    assert [each.reason for each in results] == [
        *("it is no regular file", "line 3: a comma is missing", "git tracks it", "")
    ]


def test_no_folder_is_made_for_a_file_that_cannot_be(tmp_path: Path) -> None:
    name = "n" * 300
    failing = Step(state="one", changes=(_new(tmp_path / "a" / "b" / name),))
    assert outcome_of(failing) == (StepOutcome.FAILED, "File name too long")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("after", [b"ours\n", None])
def test_file_changed_since_the_plan_stays(tmp_path: Path, after: bytes | None) -> None:
    path = tmp_path / "file"
    path.write_text("theirs\n")
    for before in (None, b"before\n"):
        step = Step(state="a", changes=(FileEdit(path, before, after),))
        outcome, reason = outcome_of(step)
        assert outcome is StepOutcome.FAILED
        assert "changed by somebody else" in reason
    assert path.read_text() == "theirs\n"


def test_a_shared_file_is_merged_with_what_others_wrote_since(tmp_path: Path) -> None:
    path, lock = tmp_path / "file", tmp_path / "lock"
    change = FileEdit(
        path, None, b"ours\n", merge=lambda now: (now or b"") + b"ours\n", lock=lock
    )
    path.write_text("theirs\n")
    assert outcome_of(Step(state="a", changes=(change,)))[0] is StepOutcome.DONE
    assert path.read_text() == "theirs\nours\n"


def test_a_shared_file_goes_with_its_lock_and_an_empty_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    path, lock = home / "file", home / "lock"
    path.write_text("x")
    change = FileEdit(
        path, b"x", None, folders=(home,), merge=lambda now: now, lock=lock
    )
    assert outcome_of(Step(state="a", changes=(change,)))[0] is StepOutcome.DONE
    assert not home.exists()


def test_a_folder_in_which_somebody_else_has_something_stays(tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "ours").write_text("x")
    (inner.parent / "theirs").write_text("y")
    change = FileEdit(inner / "ours", b"x", None, folders=(inner, inner.parent))
    assert outcome_of(Step(state="a", changes=(change,)))[0] is StepOutcome.DONE
    assert [path.name for path in inner.parent.iterdir()] == ["theirs"]


_LINES = st.lists(
    st.sampled_from(["a\n", "b\r\n", "c\u2028d\n", "\n", "\tx\x0by\n"]), max_size=6
)
_CONTENTS = st.none() | st.builds(
    lambda lines, end: "".join([*lines, end]).encode(),
    _LINES,
    st.sampled_from(["", "z"]),
)


@settings(max_examples=rounds(5))
@given(before=_CONTENTS, after=_CONTENTS)
def test_git_applies_the_difference(
    tmp_path_factory: pytest.TempPathFactory, before: bytes | None, after: bytes | None
) -> None:
    folder = tmp_path_factory.mktemp("apply")
    path = folder / "file"
    if before is not None:
        path.write_bytes(before)
    text = difference(FileEdit(path, before, after), "file")
    if not text:
        assert (before or b"") == (after or b"")
        return
    subprocess.run(["git", "apply", "-"], cwd=folder, input=text.encode(), check=True)
    assert (path.read_bytes() if path.exists() else None) == after
