"""What only a process of its own can show."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.harness import git
from support.rounds import few

from gitmem import __version__
from gitmem.cli.main import run

HEAVY = ("pygit2", "tantivy", "mcp", "pydantic", "yaml", "filelock")


@pytest.fixture
def memory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(repository)
    for goal in ("one", "two"):
        assert run(["checkpoint", "--slug", goal, "--goal", goal]) == 0
    return repository


@few(1, "option", ["--version", "--help"])
def test_the_libraries_are_loaded_only_by_those_who_need_them(option: str) -> None:
    code = (
        "import sys; from gitmem.cli.main import run; status = run([sys.argv[1]]);"
        f"sys.exit(status or any(name in sys.modules for name in {HEAVY}))"
    )
    subprocess.run([sys.executable, "-c", code, option], check=True, env=_with_source())


def test_git_runs_it_as_its_own(program: Path) -> None:
    done = subprocess.run(
        ["git", "ocm", "--version"], check=True, capture_output=True, text=True
    )
    assert program.exists()
    assert done.stdout == f"ocm {__version__}\n"


def test_log_takes_all_of_git_log(program: Path, memory: Path) -> None:
    documents = git(memory, "ls-tree", "-r", "--name-only", "refs/ocm/sessions")
    only = ("-n", "1", "--", "sessions", documents.split("\n")[1])
    assert _lines(program, "log", "--format=%s", *only) == ["two: two"]


@pytest.mark.endurance
def test_a_reader_that_goes_away_ends_it_quietly(program: Path, memory: Path) -> None:
    with _pipe_without_reader() as pipe:
        done = subprocess.run(
            [program, "show", "last", "--raw"],
            cwd=memory,
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (141, b"")


def test_what_writes_goes_on_when_nobody_reads(program: Path, memory: Path) -> None:
    with _pipe_without_reader() as pipe:
        command: list[str | Path] = [program, "forget", "one", "--yes"]
        done = subprocess.run(
            command, cwd=memory, stdout=pipe, stderr=pipe, check=False
        )
    assert done.returncode == 141
    assert "one" not in "".join(_lines(program, "list"))


def test_ctrl_c_ends_it_quietly(repository: Path) -> None:
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from gitmem.cli.main import run; print('ready', flush=True);"
        "sys.exit(run(['checkpoint', '--input', '-']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=repository,
        env=_with_source(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as waiting:
        assert waiting.stdout is not None
        assert waiting.stderr is not None
        waiting.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(0.3)  # until it waits for its input
        waiting.send_signal(signal.SIGINT)
        waiting.wait()
        assert (waiting.returncode, waiting.stderr.read()) == (130, b"")


@pytest.mark.endurance
def test_an_encoding_without_the_characters_is_no_defect(
    program: Path, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["checkpoint", "--session", "last", "--done", "naïve ✅"])
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert "### \\u2705 Work Completed" in _lines(program, "show", "last")
    assert memory.exists()


@pytest.mark.endurance
def test_long_document_goes_to_gits_pager(program: Path, memory: Path) -> None:
    notes = [word for number in range(50) for word in ("--note", f"note {number}")]
    run(["checkpoint", "--session", "two", *notes])
    git(memory, "config", "core.pager", "sed s/^/PAGED:/")
    shown = _on_a_terminal([str(program), "show", "two"], memory)
    assert "PAGED:" in shown
    assert "note 49" in shown
    assert "PAGED:" not in _on_a_terminal([str(program), "show", "one"], memory)


@contextmanager
def _pipe_without_reader() -> Iterator[int]:
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def _lines(*command: str | Path) -> list[str]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def _with_source() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def _on_a_terminal(command: list[str], folder: Path) -> str:
    """What a terminal of 24 lines and 80 columns is sent."""
    ours, its = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "LINES": "24", "COLUMNS": "80"}
    environment.pop("GIT_PAGER")
    with subprocess.Popen(command, stdin=its, stdout=its, cwd=folder, env=environment):
        os.close(its)
        sent = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    return sent.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so that nobody writes any more
        return b""
