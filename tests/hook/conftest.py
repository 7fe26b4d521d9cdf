"""Hooks, heard in this process or run as clients run them."""

import io
import os
import sys
from pathlib import Path

import pytest
from hook.calls import Call, Hear, install, stdin_of
from support.installing import python_with_gitmem

import gitmem
from gitmem.hook.main import main


@pytest.fixture(autouse=True)
def findable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hook starts finds gitmem where this process found it."""
    monkeypatch.setenv("PYTHONPATH", str(Path(gitmem.__file__).parents[1]))


@pytest.fixture
def hear(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Hear:
    def hear(call: Call | bytes, named: str = "claude-code") -> str:
        variables = call.variables if isinstance(call, Call) else {}
        stdin = stdin_of(call) if isinstance(call, Call) else call
        with monkeypatch.context() as patch:
            patch.chdir(repository)
            patch.setattr(sys, "argv", ["ocm-hook", named])
            patch.setattr(os, "getppid", os.getpid)  # this process is the client
            patch.setattr(sys, "executable", "true")  # nobody waits for what it starts
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            for name, value in variables.items():
                patch.setenv(name, value)
            main()
        out, err = capfd.readouterr()
        assert err == ""
        return out

    return hear


@pytest.fixture
def launcher(repository: Path, tmp_path: Path) -> Path:
    return install(repository, python_with_gitmem(tmp_path))
