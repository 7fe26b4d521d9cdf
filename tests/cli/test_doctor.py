"""`ocm doctor` as people and programs see it."""

import os
import shutil
from pathlib import Path

import pytest
from cli.running import Ocm
from support.doctor import Place, made_healthy, quick_python
from support.events import now

KEYS = {"group", "code", "about", "grade", "what", "where", "mend", "mendable"}


@pytest.fixture
def place(
    repository: Path,
    sealed_environment: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Place:
    """One in which all is well, and no other ocm on the PATH."""
    folders = os.environ["PATH"].split(os.pathsep)
    others = [folder for folder in folders if not shutil.which("ocm", path=folder)]
    monkeypatch.setenv("PATH", os.pathsep.join(others))
    place = Place(repository, sealed_environment)
    made_healthy(place, quick_python(tmp_path), monkeypatch)
    return place


@pytest.mark.usefixtures("place")
def test_where_all_is_well_it_says_so(ocm: Ocm) -> None:
    ran = ocm("doctor")
    assert (ran.status, ran.err) == (0, "")
    assert "problem " not in ran.out
    groups = ["Installation", "Memory", "Assistants", "Git hooks", "Log"]
    assert [line for line in ran.out.splitlines() if line in groups] == groups
    assert ran.out.splitlines()[-1].startswith("No problems")


def test_a_warning_alone_is_no_failure(ocm: Ocm, place: Place) -> None:
    (place.repository / "AGENTS.md").unlink()
    ran = ocm("doctor")
    assert (ran.status, "No problems, 1 warning" in ran.out) == (0, True)


def test_problem_fails_and_shows_how_to_mend_it(ocm: Ocm, place: Place) -> None:
    place.launcher.chmod(0o600)
    ran = ocm("doctor")
    assert ran.status == ocm("doctor", "--json").status == 1
    lines = ran.out.splitlines()
    [at] = [n for n, line in enumerate(lines) if "problem  .git/ocm/run" in line]
    assert lines[at + 1 : at + 3] == [
        f"         {place.launcher}",
        "         mend: Run `ocm init`.",
    ]
    assert lines[-1].startswith("1 problem")


def test_what_is_mended_by_the_same_is_told_once(ocm: Ocm, place: Place) -> None:
    for name in ("post-commit", "post-rewrite"):
        (place.common_dir / "hooks" / name).unlink()
    said = ocm("doctor").out
    assert said.count("mend: Run `ocm init`.") == 1
    assert "`ocm doctor --fix` repairs 2 of these." in said


def test_a_repair_that_fails_is_a_failure(ocm: Ocm, place: Place) -> None:
    shutil.rmtree(place.common_dir / "hooks")
    (place.common_dir / "hooks").touch()
    ran = ocm("doctor", "--fix")
    assert (ran.status, "not done: " in ran.out) == (1, True)
    assert ran.out.splitlines()[-1].startswith("1 repair failed")


@pytest.mark.usefixtures("place")
def test_as_json_it_is_a_list_of_findings(ocm: Ocm) -> None:
    found = ocm("doctor", "--json").json
    assert all(each.keys() == KEYS for each in found)
    of_cursor = [each for each in found if each["about"] == "cursor"]
    [cursor] = [each for each in of_cursor if each["code"] == "assistant"]
    assert cursor == {
        "group": "Assistants",
        "code": "assistant",
        "about": "cursor",
        "grade": "note",
        "what": "Cursor: made after its documents, and never run with it",
        "where": None,
        "mend": None,
        "mendable": False,
    }


def test_text_of_others_does_not_reach_the_terminal(ocm: Ocm, place: Place) -> None:
    hostile = "\x1b]0;title\x07\x1b[2J\u202e"
    place.write(".git/ocm/log", f"{now().isoformat()} ocm-hook: {hostile}\n")
    for arguments in (["doctor"], ["doctor", "--json"]):
        shown = ocm(*arguments).out
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_outside_of_a_repository_it_works(
    ocm: Ocm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside").mkdir()
    monkeypatch.chdir(tmp_path / "outside")
    ran = ocm("doctor")
    assert (ran.status, ran.err) == (0, "")
    assert "is not in a git repository" in ran.out
