"""`ocm import`, and the history that `ocm init` offers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli.running import Ocm, on_a_terminal
from rich.filesize import decimal
from support.harness import CLIENT, NOON, git
from support.rounds import few
from support.transcripts import aider_file, claude_code_file, kept_by_claude_code

from gitmem.errors import Damaged

OTHER = "ffffffff-4e5f-4000-8000-000000000001"
INTERRUPTED = """
import os, signal, sys
from gitmem.cli.main import main

signal.signal(signal.SIGINT, signal.default_int_handler)  # `&` lets it be ignored
file = sys.argv.pop()

def interrupt(event, arguments):
    is_file = event == "open" and str(arguments[0]) == file
    if is_file and os.path.exists(".git/refs/ocm/sessions"):
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(interrupt)
main()
"""
"""A command line, and Ctrl-C as it reads the last file, when sessions are in."""


@pytest.fixture(autouse=True)
def no_assistants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the system's own programs, and gitmem."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")


@pytest.fixture
def kept(sealed_environment: Path, repository: Path) -> Path:
    folder = kept_by_claude_code(sealed_environment, repository)
    prompts = "Mend the parser.", "Test it."
    claude_code_file(folder, CLIENT, *prompts, cwd=repository, edits=["a.py"])
    return folder


def size(path: Path) -> str:
    """Of the files at and below a path, as it is printed."""
    files = [path] if path.is_file() else path.iterdir()
    return decimal(sum(file.stat().st_size for file in files))


class TestImport:
    def test_says_what_came(self, ocm: Ocm, kept: Path) -> None:
        claude_code_file(kept, OTHER, "Elsewhere.", cwd="/gone")
        ran = ocm("import", "claude-code")
        assert ran.status == 0
        assert ran.out.splitlines() == [
            f"2 transcripts of Claude Code ({size(kept)}): 1 session, 1 new.",
            "Held in /gone, which is not there any more: 1 conversation left out.",
        ]
        assert f"Importing: {size(kept)}.\n" in ran.err
        assert "`ocm import claude-code --moved-from /gone`" in ran.err
        assert "Mend the parser." in ocm("list").out
        again = ocm("import", "claude-code", "--moved-from", "/gone")
        assert "2 sessions, 1 new, 1 in already." in again.out

    def test_alone_imports_all(self, ocm: Ocm, repository: Path, kept: Path) -> None:
        aider_file(repository, "Draw the menu.")
        done = ocm("import")
        assert f"1 transcript of Claude Code ({size(kept)}): 1 session" in done.out
        assert "1 transcript of Aider" in done.out
        assert "Codex" not in done.out
        again = ocm("import", "--json").json
        assert list(again) == ["claude-code", "aider"]
        assert again["aider"]["sessions"][0]["outcome"] == "already"

    def test_where_there_is_nothing_that_is_said(self, ocm: Ocm) -> None:
        said = ocm("import").out
        assert "Claude Code, Codex, " in said
        assert "Aider, SpecStory" in said
        assert ocm("import", "--json").json == {}
        ran = ocm("import", "codex")
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.startswith("There are no transcripts of Codex ")

    @pytest.mark.usefixtures("kept")
    def test_a_dry_run_shows_a_row_a_session(self, ocm: Ocm) -> None:
        lines = ocm("import", "claude-code", "--dry-run").out.splitlines()
        assert lines[0].split() == [
            *("new", "2026-02-23", "12:00", "2", "prompts,", "1", "file"),
            *("Mend", "the", "parser."),
        ]
        assert lines[-1] == "Nothing was written."
        assert ocm("list", "--json").json == []

    def test_as_json(self, ocm: Ocm, repository: Path, kept: Path) -> None:
        other = repository.parent
        claude_code_file(kept, OTHER, "Elsewhere.", cwd=other)
        (damaged,) = kept.glob(f"{CLIENT}*")
        with damaged.open("a") as opened:
            opened.write("{\n")
        assert ocm("import", "claude-code", "--json").json == {
            "files": 2,
            "bytes": sum(file.stat().st_size for file in kept.iterdir()),
            "sessions": [
                {
                    "outcome": "new",
                    "session_id": "2026-02-23_12-00_claude-code_mend-parser",
                    "date": "2026-02-23",
                    "goal": "Mend the parser.",
                    "prompts": 2,
                    "files": 1,
                }
            ],
            "passed_over": 0,
            "programs": 0,
            "earlier": 0,
            "elsewhere": [{"folder": str(other), "conversations": 1, "is_there": True}],
            "left_out": [],
            "unread": [
                {
                    "file": str(damaged),
                    "parts": 1,
                    "first": [{"line": 7, "reason": "no JSON", "count": 1}],
                }
            ],
        }

    def test_damage_takes_ten_lines_at_most(self, ocm: Ocm, kept: Path) -> None:
        for number in range(12):
            (kept / f"{OTHER[:-2]}{number:02}.jsonl").write_text("{secret\n" * 5)
        ran = ocm("import", "claude-code")
        assert ran.status == 0
        lines = ran.out.splitlines()
        told = [line for line in lines if line.startswith("could not be read: ")]
        assert len(told) == 10
        ending = "line 1: no JSON (5 records), and 1 more"
        assert all(line.endswith(ending) for line in told)
        assert lines[-1] == "And 2 other files."
        assert "secret" not in ran.out + ran.err

    @pytest.mark.usefixtures("kept")
    def test_since(self, ocm: Ocm) -> None:
        command = ("import", "claude-code", "--dry-run", "--json", "--since")
        for since, earlier in (
            *(("2026-02-23", 0), ("2026-02-24", 1), ("february 2026", 0)),
            *(("yesterday", 1), ("since march 2026", 1), ("2026-02-23T13:00", 1)),
        ):
            assert ocm(*command, since).json["earlier"] == earlier, since
        for text in ("soon", "before 2026-01-01", "february 30", ""):
            assert ocm(*command, text).error["code"] == "invalid-input"

    def test_named_files_are_read_or_told(
        self, ocm: Ocm, repository: Path, tmp_path: Path
    ) -> None:
        one = claude_code_file(tmp_path / "a", CLIENT, "One", cwd=repository)
        claude_code_file(tmp_path / "b" / "c", OTHER, "Two", cwd=repository)
        ran = ocm("import", "claude-code", str(one), str(tmp_path / "b"), "--json")
        assert [each["goal"] for each in ran.json["sessions"]] == ["One", "Two"]
        os.mkfifo(repository / "fifo")
        for name in ("nowhere", "fifo"):
            missing = ocm("import", "claude-code", name, "--json")
            assert (missing.status, missing.error["code"]) == (1, "not-found")
        (repository / "damaged").write_text("{\n")
        damaged = ocm("import", "claude-code", "damaged", "--json")
        assert (damaged.status, damaged.json["unread"][0]["parts"]) == (1, 2)
        said = ocm("import", "claude-code", "damaged").err
        assert "No conversation could be read" in said
        unknown = ocm("import", "clippy", "--json")
        assert unknown.error["code"] == "invalid-input"


class TestOnATerminal:
    @pytest.mark.endurance
    def test_interrupted_says_what_is_in(self, repository: Path, kept: Path) -> None:
        *_, newest = [
            claude_code_file(kept, f"{n:08x}{CLIENT[8:]}", "Ask.", cwd=repository)
            for n in range(110)
        ]
        ran = subprocess.run(
            [sys.executable, "-c", INTERRUPTED, "import", "claude-code", newest],
            cwd=repository,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (ran.returncode, ran.stdout) == (130, "")
        assert "Interrupted. " in ran.stderr
        assert "Traceback" not in ran.stderr
        assert "the same command goes on from here." in ran.stderr
        commits = int(git(repository, "rev-list", "--count", "refs/ocm/sessions"))
        assert 0 < commits < 111
        assert f"{commits} sessions are in;" in ran.stderr

    @pytest.mark.usefixtures("kept")
    def test_immediate_stop_imports_nothing(self, ocm: Ocm, repository: Path) -> None:
        ref = repository / ".git" / "refs" / "ocm" / "sessions"
        ref.parent.mkdir()
        ref.write_text("1" * 40)
        ran = ocm("import", "claude-code")
        assert ran.status == Damaged.exit_status
        assert "Nothing was written; the same command goes on from here." in ran.err


class TestWhatInitOffers:
    def test_history_by_its_command(
        self, ocm: Ocm, repository: Path, kept: Path
    ) -> None:
        (one,) = kept.iterdir()
        claude_code_file(kept, OTHER, "Elsewhere.", cwd="/gone")
        aider_file(repository, "Ask.")
        for options in (["--dry-run"], []):
            out = ocm("init", *options).out
            assert f"1 transcript of Claude Code ({size(one)}) from ~/.claude/" in out
            assert "ocm import claude-code\n" in out
            assert "ocm import aider\n" in out
            assert "Elsewhere" not in out
        assert ocm("list", "--json").json == []
        (history, _) = ocm("init", "--json").json["history"]
        assert history == {
            "assistant": "claude-code",
            "transcripts": 1,
            "bytes": one.stat().st_size,
            "folder": str(kept),
            "vanishing": 0,
            "command": "ocm import claude-code",
        }

    @pytest.mark.usefixtures("kept")
    def test_nothing_that_is_in_already(self, ocm: Ocm, repository: Path) -> None:
        aider_file(repository, "Ask.")
        ran = ocm("init", "--yes")
        assert ran.status == 0
        assert ran.out.count("1 session, 1 new.") == 2
        assert "ocm import" not in ocm("init").out

    @pytest.mark.endurance
    @few(1, ("answer", "sessions"), [("\n", 1), ("n\n", 0)])
    def test_on_a_terminal_it_asks(
        self, ocm: Ocm, repository: Path, kept: Path, answer: str, sessions: int
    ) -> None:
        said, status = on_a_terminal(repository, ["init"], f"y\n{answer}")
        assert status == 0
        assert f"Import 1 transcript of Claude Code ({size(kept)}) from " in said
        assert "[Y/n]" in said
        assert len(ocm("list", "--json").json) == sessions
        again, _ = on_a_terminal(repository, ["init"], "")
        assert "[Y/n]" not in again
        assert ("To import them" in again) == (not sessions)


def test_hostile_transcript_is_escaped(ocm: Ocm, repository: Path, kept: Path) -> None:
    hostile = "\x1b]0;owned\x07 \x1b[2J <private>mine</private> ghp_" + "a1B2" * 9
    folder = repository.parent / f"\x1b[31m{hostile[-40:]}"
    claude_code_file(kept, OTHER, hostile, cwd=repository, began_at=NOON)
    claude_code_file(kept, OTHER[:-1] + "2", "Other", cwd=folder)
    for options in (["--dry-run"], ["--json"], []):
        ran = ocm("import", "claude-code", *options)
        assert not {"\x1b", "\x07"} & set(ran.out + ran.err)
        assert "ghp_" not in ran.out + ran.err
        assert "mine" not in ran.out + ran.err
