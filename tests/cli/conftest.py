"""The command line, run in this process or as a program of its own."""

import io
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import typer.main
from cli.running import Ocm, Ran
from support.harness import python_script

from gitmem.cli.main import run
from gitmem.cli.output import choose_json

typer.main.get_command = cache(typer.main.get_command)  # for each run, in a process


class Keyboard(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def without_json() -> None:
    choose_json(False)


@pytest.fixture
def ocm(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Ocm:
    monkeypatch.chdir(repository)
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)

    def ocm(*arguments: str, stdin: bytes = b"", by_hand: bool = False) -> Ran:
        kind = Keyboard if by_hand else io.TextIOWrapper
        monkeypatch.setattr(sys, "stdin", kind(io.BytesIO(stdin)))
        with monkeypatch.context() as patch:
            if by_hand:
                patch.setattr(sys.stdout, "isatty", lambda: True)
            status = run(arguments)
        captured = capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    return ocm


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Makes the output look for a terminal of so many columns; without colours."""

    def terminal(columns: int) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm-256color")
        monkeypatch.setenv("COLUMNS", str(columns))

    return terminal


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`ocm` as a file that can be executed, and beside it `git-ocm`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    source = Path(__file__).parents[2]
    for name in ("ocm", "git-ocm"):
        python_script(
            folder / name,
            f"import sys; sys.path.insert(0, {str(source)!r})\n"
            "from gitmem.__main__ import main; main()",
        )
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "ocm"
