"""Commits in what shells printed, some of it by git itself."""

import subprocess
import time
from pathlib import Path

import pytest
from support.harness import git
from support.rounds import every_row

from gitmem.assistants.transcripts import printed_commits, shown_commits, subjects_in


def found(output: str, command: str = "git commit") -> list[tuple[str, str]]:
    return [(made.sha, made.subject) for made in printed_commits(command, output)]


def head(repository: Path) -> str:
    return git(repository, "rev-parse", "--short", "HEAD")


@pytest.mark.parametrize(
    "arguments",
    [
        ["commit", "--allow-empty", "-m", "a: [b] c"],
        ["commit", "--allow-empty", "-m", "a: [b] c\n\nand a body"],
        ["commit", "--amend", "--allow-empty", "-m", "a: [b] c"],
    ],
)
def test_commit_is_read_as_printed(repository: Path, arguments: list[str]) -> None:
    output = git(repository, *arguments)
    assert found(output) == [(head(repository), "a: [b] c")]


def test_a_commit_is_read_wherever_git_says_so(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "feat/a]b")
    first = git(tmp_path, "commit", "--allow-empty", "-m", "begin")
    assert "(root-commit)" in first
    assert found(first) == [(head(tmp_path), "begin")]
    git(tmp_path, "checkout", "-q", "--detach")
    (tmp_path / "new").write_text("new")
    git(tmp_path, "add", "new")
    afloat = git(tmp_path, "commit", "-m", "afloat")
    assert afloat.startswith("[detached HEAD ")
    assert found(afloat) == [(head(tmp_path), "afloat")]
    revert = git(tmp_path, "revert", "--no-edit", "HEAD")
    assert found(revert, "git revert") == [(head(tmp_path), 'Revert "afloat"')]
    assert found(git(tmp_path, "commit", "-q", "--allow-empty", "-m", "hush")) == []


def test_commits_stand_among_the_output_of_other_commands() -> None:
    command = "npm test && git commit -m one && git commit -m two; git push"
    output = (
        "PASS 12 tests\r\n[main 1a2b3c4] one\r\n 1 file changed\r\n"
        "[main 5d6e7f8] two\n 2 files changed\nTo example.org:x\n"
    )
    assert found(output, command) == [("1a2b3c4", "one"), ("5d6e7f8", "two")]


@every_row(
    "command",
    [
        "git add -A && git commit -m \"$(cat <<'EOF'\nsubject\n\nbody\nEOF\n)\"",
        "git -C /elsewhere -c user.name=t commit --file=-",
        "git ci -m alias",
        "git cherry-pick 1a2b3c4",
    ],
)
def test_a_command_that_commits_is_known(command: str) -> None:
    assert found("[main 1a2b3c4] subject", command) == [("1a2b3c4", "subject")]


@every_row("command", ["cat notes.md", "git log", "legit commit", ""])
def test_other_commands_made_no_commit(command: str) -> None:
    assert found("[main 1a2b3c4] subject", command) == []


@every_row(
    "output",
    [
        *(" [main 1a2b3c4] in the middle", "[main 1a2b3c] too short"),
        *("[main HEAD1234] no name", "[one two three four 1a2b3c4] no branch"),
        "On branch main\nnothing to commit",
    ],
)
def test_other_lines_are_no_commits(output: str) -> None:
    assert found(output) == []


def test_a_later_output_shows_commits_by_their_subjects(repository: Path) -> None:
    command = "git commit -qm 'Send a key' && git commit -m \"$(cat <<'EOF'\nTwo locks:"
    subjects = subjects_in(f'{command} one each\n\nWith a body\nEOF\n)"')
    assert {"Send a key", "Two locks: one each"} <= subjects
    assert subjects_in("git log --grep 'Send a key'") == set()
    git(repository, "commit", "--allow-empty", "-qm", "Send a key")
    name = head(repository)
    for arguments in (["--oneline"], ["--oneline", "--decorate"], ["--format=%h %s"]):
        output = git(repository, "log", *arguments)
        assert [c.sha for c in shown_commits(output, subjects)] == [name]
        assert [*shown_commits(output, set())] == []


def test_a_push_shows_the_range_that_it_pushed(
    repository: Path, tmp_path: Path
) -> None:
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    push = ["git", "-C", str(repository), "push", str(tmp_path / "remote.git"), "HEAD"]
    subprocess.run(push, check=True, capture_output=True)
    before = head(repository)
    git(repository, "commit", "--allow-empty", "-qm", "Send a key")
    output = subprocess.run(push, check=True, capture_output=True, text=True).stderr
    own = frozenset({"Send a key"})
    [pushed] = shown_commits(output, own)
    assert (pushed.since, pushed.sha) == (before, head(repository))
    assert pushed.subjects == own
    assert [*shown_commits(output, set())] == []


def test_amending_commit_is_told_from_a_new_one() -> None:
    command = "git commit -m x; git commit --amend --no-edit && git commit -m -amend"
    output = "[topic 1a2b3c4] x\n[topic 5d6e7f8] x\n[topic 9a0b1c2] y"
    made = list(printed_commits(command, output))
    assert [each.is_amended for each in made] == [False, True, False]
    assert {each.branch for each in made} == {"topic"}


@pytest.mark.endurance
def test_hostile_output_takes_no_time() -> None:
    began = time.process_time()
    assert found("[" + "a " * 200_000 + "\n[" * 200_000) == []
    assert found("", "git " * 200_000 + "commi") == []
    for piece in ("git commit ", "git -C ", "cd ", "cd '", "git -c x ", "git " * 9):
        assert found("[main 1a2b3c4] x", piece * 50_000 + "git commit")
    for piece in ("[a ", "1a2b3c4 (", "1a2b3c4 ", "1a2b3c4 x\n"):
        assert [*shown_commits(piece * 200_000, {"a subject"})] == []
    assert time.process_time() - began < 4
