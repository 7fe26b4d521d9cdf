from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import Ocm
from support.commits import committed, remembered
from support.harness import git
from support.workspaces import workspace_at

from gitmem.git.values import Change, FileChange

KEYS = [
    *("path", "commit", "lines", "sessions", "without_session"),
    *("uncommitted_lines", "undatable_lines"),
]
SESSION_KEYS = [
    *("session_id", "goal", "date", "until", "tool"),
    *("author", "own", "status", "markdown_path"),
    *("lines", "commits", "decisions", "shared_with", "evidence", "remarks"),
]


@pytest.fixture
def code(repository: Path) -> dict[str, str]:
    """A file of two sessions and of somebody; the names are those of its commits."""
    workspace, names = workspace_at(repository), {}
    text = ""
    for who, lines in (("first", 3), ("second", 1), ("somebody", 2)):
        text += f"{who}\n" * lines
        names[who] = committed(repository, "src/charge.py", text, f"{who} commit")
    decisions = ("charge.py keeps a key for every charge " * 3, "Something else")
    remembered(workspace, "c-1", names["first"], slug="first", decisions=decisions)
    remembered(workspace, "c-2", names["second"], slug="second", status="closed")
    (repository / "src/charge.py").write_text(text + "new\n")
    return names


FIRST, SECOND = "2026-02-23_12-00_cursor_first", "2026-02-23_12-00_cursor_second"


def test_a_file_is_told_by_its_sessions(ocm: Ocm, code: dict[str, str]) -> None:
    told = ocm("why", "src/charge.py")
    assert (told.status, told.err) == (0, "")
    first, second, rest = told.out.split("\n\n")
    assert first.splitlines() == [
        f"{FIRST}  23 February 12:00, open",
        "   Goal of c-1",
        f"   3 of 7 lines: {code['first'][:7]} subject of {code['first'][:4]}",
        f"   decided: {('charge.py keeps a key for every charge ' * 3).strip()}",
    ]
    assert second.startswith(f"{SECOND}  23 February 12:00, closed\n")
    assert "   1 of 7 lines: " in second
    assert (
        rest
        == "No session is known for 2 lines from 1 commit.\n1 line not committed yet.\n"
    )


def test_a_commit_is_told_by_its_session(ocm: Ocm, code: dict[str, str]) -> None:
    told = ocm("why", code["second"][:8])
    assert told.out.splitlines() == [
        f"{SECOND}  23 February 12:00, closed",
        "   Goal of c-2",
        f"   {code['second'][:7]} subject of {code['second'][:4]}",
    ]


def test_that_no_session_is_known_is_an_answer(ocm: Ocm, code: dict[str, str]) -> None:
    sentence = (
        f"No session is known for commit {code['somebody'][:7]} (somebody commit).\n"
    )
    for asked in ("HEAD", "src/charge.py:5-6"):
        told = ocm("why", asked)
        assert (told.status, told.out) == (0, sentence)
    assert ocm("why", "src/charge.py:7").out == "1 line not committed yet.\n"


def test_what_commits_claim_is_named_by_its_source(ocm: Ocm, repository: Path) -> None:
    claude = "Co-authored-by: Claude Opus <noreply@anthropic.com>"
    committed(repository, "a.py", "1\n2\n", f"work\n\n{claude}")
    assert ocm("why", "a.py").out.splitlines()[1:] == [
        "   2 lines: Co-authored-by: Claude Opus"
    ]
    assert ocm("why", "HEAD").out.splitlines()[1:] == ["   Co-authored-by: Claude Opus"]
    assert ocm("why", "a.py", "--json").json["without_session"]["claims"] == [
        {"source": "Co-authored-by", "text": "Claude Opus", "lines": 2}
    ]


def test_file_of_commits_may_have_no_session(ocm: Ocm, repository: Path) -> None:
    committed(repository, "a.py", "1\n")
    committed(repository, "a.py", "1\n2\n")
    told = ocm("why", "a.py")
    assert told.out == "No session is known for a.py: 2 lines from 2 commits.\n"
    committed(repository, "empty.py", "")
    assert ocm("why", "empty.py").out == "The file is empty.\n"


def test_a_file_that_is_gone_is_told_by_who_touched_it(
    ocm: Ocm, repository: Path
) -> None:
    file = FileChange("src/gone.py", Change.CREATED)
    one = committed(repository, "src/gone.py", "1\n")
    remembered(workspace_at(repository), "c-1", one, slug="first", files=(file,))
    git(repository, "mv", "src/gone.py", "src/new.py")
    git(repository, "commit", "--quiet", "--message=renamed")
    assert ocm("why", "src/gone.py").out.splitlines() == [
        f"{FIRST}  23 February 12:00, open",
        "   Goal of c-1",
        "   in its list of files",
        "",
        "Git knows no lines of it here.",
    ]
    (source,) = ocm("why", "src/gone.py", "--json").json["sessions"]
    assert (source["lines"], source["evidence"]) == (0, "in its list of files")


def test_json_has_one_form_for_both(ocm: Ocm, code: dict[str, str]) -> None:
    told = ocm("why", "src/charge.py", "--json").json
    assert list(told) == KEYS
    assert [list(each) for each in told["sessions"]] == [SESSION_KEYS] * 2
    assert (told["path"], told["commit"], told["lines"]) == ("src/charge.py", None, 7)
    assert told["without_session"] == {
        "lines": 2,
        "commits": [code["somebody"]],
        "claims": [],
    }
    assert told["uncommitted_lines"] == 1
    first = told["sessions"][0]
    assert (first["session_id"], first["lines"]) == (FIRST, 3)
    assert [each["sha"] for each in first["commits"]] == [code["first"]]
    assert "Goal of c-1" in Path(first["markdown_path"]).read_text()
    of_commit = ocm("why", code["second"], "--json").json
    assert list(of_commit) == KEYS
    assert (of_commit["path"], of_commit["lines"]) == (None, 0)
    assert of_commit["commit"] == {"sha": code["second"], "subject": "second commit"}
    assert [each["session_id"] for each in of_commit["sessions"]] == [SECOND]


def test_paths_are_relative_to_the_working_directory(
    ocm: Ocm, code: dict[str, str], repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "src")
    monkeypatch.setenv("OCM_PROJECT_DIR", str(repository))
    told = ocm("why", "charge.py:1", "--json").json
    assert (told["path"], told["commit"]["sha"]) == ("src/charge.py", code["first"])


def test_what_cannot_be_asked_about_is_an_error(ocm: Ocm, repository: Path) -> None:
    (repository / "untracked.py").touch()
    for asked, code, message in (
        ("nope.py", "not-found", "neither a file of this work tree nor a commit"),
        ("file.txt:3", "invalid-input", "file.txt has 1 line."),
        ("file.txt:2-1", "invalid-input", "file.txt has 1 line."),
        ("untracked.py", "not-found", "untracked.py is in no commit"),
    ):
        error = ocm("why", asked, "--json").error
        assert error["code"] == code
        assert message in error["message"]
        assert error["hint"]


@pytest.mark.usefixtures("code")
def test_terminal_width_is_kept(ocm: Ocm, terminal: Callable[[int], None]) -> None:
    terminal(40)
    lines = ocm("why", "src/charge.py").text.splitlines()
    assert max(len(line) for line in lines) <= 40
    decided = "\n".join(lines).partition("decided: ")[2].partition("\n\n")[0]
    assert " ".join(decided.split()).count("keeps a key for every charge") == 3


def test_names_and_subjects_are_safe(ocm: Ocm, repository: Path) -> None:
    name, secret = "\x1b]0;a\x07.py", "gh" + "p_" + "a1B2c3D4e5F6" * 3
    one = committed(repository, name, "1\n", f"rotate {secret} \x1b[2J")
    assert "(rotate [REDACTED:github]" in ocm("why", "HEAD").out
    assert "\x1b" not in ocm("why", name).out + ocm("why", "HEAD").out
    remembered(workspace_at(repository), "c-1", one, goal="\x1b[2J", decisions=[name])
    told = ocm("why", name, "--json")
    assert "\x1b" not in ocm("why", name).out + told.out
    assert told.json["path"] == name
    assert git(repository, "status", "--porcelain") == ""
