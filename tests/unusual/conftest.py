"""Lives in odd repositories, with the command line in this process."""

import io
import sys
from pathlib import Path

import pytest
from cli.running import Ran
from support.installing import python_with_gitmem
from unusual.kinds import Kind

from gitmem.cli.main import run

pytest.register_assert_rewrite("unusual.round_trip")

from unusual.round_trip import Begin, Life  # noqa: E402 - its assertions are told as a test's


@pytest.fixture
def begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Begin:
    """Makes a repository of a kind, and goes there."""

    def begin(kind: Kind) -> Life:
        odd = kind(tmp_path)
        (tmp_path / "bin").mkdir()
        python = python_with_gitmem(tmp_path / "bin")
        monkeypatch.setattr(sys, "executable", str(python))
        monkeypatch.chdir(odd.root)

        def ocm(*arguments: str, stdin: bytes = b"") -> Ran:
            with monkeypatch.context() as patch:
                patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
                for name, value in odd.variables.items():
                    patch.setenv(name, value)
                status = run(arguments)
            captured = capsys.readouterr()
            return Ran(status, captured.out, captured.err)

        return Life(odd, tmp_path / "memory.git", ocm)

    return begin
