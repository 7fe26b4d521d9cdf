"""Ctrl-C at any moment: while modules load, at work, and in what Python runs itself."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cli.running import Ocm
from support.rounds import rounds

AT_A_MOMENT = """
import os, signal, sys
from importlib import import_module
entry, number, moment, *arguments = sys.argv[1:]
main, passed = import_module(entry).main, 0
signal.signal(signal.SIGINT, signal.default_int_handler)
def count(event, _):
    global passed
    passed += event in ("import", "open")
    if passed == int(moment) and event in ("import", "open"):
        os.kill(os.getpid(), int(number))
sys.argv = ["ocm", *arguments]
sys.addaudithook(count)
try:
    main()
finally:
    if not int(moment):
        print(passed, file=sys.stderr)
"""
"""Runs an entry point, and sends a signal as it imports or opens something."""

LATE = """
import os, signal
import gitmem.__main__ as program
from gitmem.cli.failure import handle_signals
signal.signal(signal.SIGINT, signal.default_int_handler)
program._end_quietly_when_interrupted()
handle_signals()
class Destroyed:
    def __del__(self): os.kill(os.getpid(), signal.SIGINT)
{}
print("went on")
"""


@pytest.mark.endurance
def test_ctrl_c_at_any_moment_ends_it_quietly(ocm: Ocm, repository: Path) -> None:
    ocm("checkpoint", "--goal", "Count the seconds")
    _interrupted(repository, signal.SIGINT, 0, "scan")  # modules are compiled then
    whole = _interrupted(repository, signal.SIGINT, 0, "scan")
    assert whole.returncode == 0
    last = int(whole.stderr.split()[-1])
    for number in range(many := rounds(6)):
        moment = 1 + last * number // many
        done = _interrupted(repository, signal.SIGINT, moment, "scan")
        assert (done.returncode, done.stdout) == (130, b"")
        assert done.stderr in (b"", b"Looking for secrets: 4 texts.\n")
    home = Path(os.environ["OCM_HOME"])
    assert not (home / "crashes").exists()


def test_terminated_it_cleans_up_and_ends_as_git_does(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "gitmem", "demo"],
        cwd=repository,
        env=_with_source(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        process.stdout.readline()
        assert [*tmp_path.glob("ocm-demo-*")]
        process.terminate()
    assert process.returncode == -signal.SIGTERM
    assert not [*tmp_path.glob("ocm-demo-*")]


@pytest.mark.endurance
def test_interrupted_where_an_exception_would_be_lost() -> None:
    for last_words in ("Destroyed()", "kept = Destroyed()"):
        done = subprocess.run(
            [sys.executable, "-c", LATE.format(last_words)],
            env=_with_source(),
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) in ((130, b""), (-signal.SIGINT, b""))


def test_a_hook_goes_on(repository: Path) -> None:
    done = _interrupted(
        repository, signal.SIGINT, 40, "gemini-cli", entry="gitmem.hook.__main__"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def _interrupted(
    folder: Path,
    number: int,
    moment: int,
    *arguments: str,
    entry: str = "gitmem.__main__",
) -> subprocess.CompletedProcess[bytes]:
    told = [entry, str(int(number)), str(moment), *arguments]
    return subprocess.run(
        [sys.executable, "-c", AT_A_MOMENT, *told],
        cwd=folder,
        env=_with_source(),
        input=b"{}",
        capture_output=True,
        check=False,
    )


def _with_source() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
