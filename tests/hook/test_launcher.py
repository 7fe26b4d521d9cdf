"""The launcher: what shared files start, where there may be nothing else of ours."""

import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hook.calls import Call, claude, install, kinds, run_command
from support.events import event, note
from support.harness import git
from support.rounds import few

from gitmem.documents.event import Heard, Prompt, Start
from gitmem.resources import resource

ONE = "11111111-2222-4333-8444-555555555555"


def run(
    launcher: Path, *arguments: str, stdin: bytes = b"", **variables: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(launcher), *arguments],
        input=stdin,
        cwd=launcher.parents[2],
        env={"PATH": "/usr/bin:/bin", **variables},
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_it_names_its_version() -> None:
    assert "\n# ocm run 1\n" in resource("hooks/run").read_text("utf-8")


def program(folder: Path, content: str) -> str:
    made = folder / "program"
    made.write_text(f"#!/bin/sh\n{content}\n")
    made.chmod(0o755)
    return str(made)


@pytest.fixture(params=["/no/such/python", "", "without gitmem", "it's here"])
def useless(request: pytest.FixtureRequest, repository: Path, tmp_path: Path) -> Path:
    """A launcher whose Python is gone, has no gitmem any more, or cannot run."""
    python = str(request.param)
    if python == "without gitmem":
        python = program(tmp_path, f'exec {sys.executable} -I -S "$@"')
    return install(repository, python)


@few(
    4,
    "arguments",
    [
        *(["hook", "claude-code"], ["edit", "claude-code"], ["edit", "cursor"]),
        *(["git", "post-commit"], ["git", "post-rewrite", "amend"]),
        *(["git", "pre-push", "origin", "url"], ["git", "pre-push"]),
        *(["hook"], ["edit"], ["git"], [], ["unknown"]),
    ],
    ids=" ".join,
)
def test_without_python_it_is_silent(useless: Path, arguments: list[str]) -> None:
    repository = useless.parents[2]
    note(repository, event(Start, client=ONE, root=str(repository)))
    done = run(useless, *arguments, stdin=b'{"session_id":"' + b"x" * 100_000 + b'"}')
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert kinds(repository, ONE) == ["Start"]


def test_an_edit_is_noted_without_a_path_or_python(
    repository: Path, launcher: Path
) -> None:
    note(repository, event(Start, client=ONE, root=str(repository)))
    call = claude("PostToolUse-Write", repository, ONE)
    for path, python in (("PATH=; ", None), ("", "/no/such/python")):
        if python:
            install(repository, python)
        done = run_command(f"{path}{launcher} edit claude-code", call, repository)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert kinds(repository, ONE) == ["Start", "Edit", "Edit"]


def test_unusual_edit_is_noted(repository: Path, launcher: Path) -> None:
    """Also one of Copilot, which runs the hooks of Claude Code."""
    call = claude("PostToolUse-Write", repository, ONE)
    changes = {"path": f"{repository}/a.py", "file_text": "x"}
    result = {"tool_input": changes, "tool_result": {"result_type": "success"}}
    of_copilot = Call({**call.payload, **result}, {"COPILOT_CLI": "1"})
    hostile = claude("PostToolUse-Write-hostile", repository, ONE)
    for each in (hostile, call, of_copilot):
        run_command(f"{launcher} edit claude-code", each, repository)
    assert kinds(repository, ONE) == ["Start", "Edit", "Edit", "Edit"]


def test_server_runs_with_the_same_python(repository: Path, tmp_path: Path) -> None:
    launcher = install(repository, program(tmp_path, 'echo "$@"'))
    done = run(launcher, "serve", "--more")
    assert done.stdout == b"-EP -m gitmem serve --more\n"
    install(repository, "/no/such/python")
    assert run(launcher, "serve").returncode != 0
    (tmp_path / "program").rename(tmp_path / "ocm")
    done = run(launcher, "serve", PATH=f"{tmp_path}:/usr/bin:/bin")
    assert done.stdout == b"serve\n"


@pytest.fixture
def told(repository: Path, tmp_path: Path) -> Path:
    """What Python is told, when it gets to it; the launcher is installed."""
    told = tmp_path / "told"
    slow = (
        f'sleep 0.2; {{ echo "$@"; cat; }} >{tmp_path}/part; mv {tmp_path}/part {told}'
    )
    install(repository, program(tmp_path, slow))
    return told


def soon(path: Path) -> str:
    until = time.monotonic() + 20
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return path.read_text()


def seen(repository: Path) -> Path:
    note(repository, event(Start, client=ONE, root=str(repository)))
    return repository / ".git" / "ocm" / "run"


def test_git_does_not_wait_for_what_is_told(repository: Path, told: Path) -> None:
    launcher = seen(repository)
    done = run(launcher, "git", "post-commit", stdin=b"not for us")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not told.exists()
    head = git(repository, "rev-parse", "HEAD")
    assert soon(told) == f"-EP -m gitmem.hook git post-commit {head} told-.git\n"


def test_what_nobody_asked_for_is_not_told(repository: Path, told: Path) -> None:
    launcher = repository / ".git" / "ocm" / "run"
    run(launcher, "git", "post-commit")  # there is no conversation
    for setting in (None, "false", "maybe"):
        if setting:
            git(repository, "config", "ocm.autoPush", setting)
        run(launcher, "git", "pre-push", "origin", "url")
    time.sleep(0.5)
    assert not told.exists()


@few(1, "state", ["rebase-merge", "rebase-apply"])
def test_rebase_is_told_at_its_end(repository: Path, told: Path, state: str) -> None:
    launcher = seen(repository)
    (repository / ".git" / state).mkdir()
    run(launcher, "git", "post-commit")
    run(launcher, "git", "post-rewrite", "amend", stdin=b"old new\n")
    time.sleep(0.5)
    assert not told.exists()
    run(launcher, "git", "post-rewrite", "rebase", stdin=b"old new\n")
    assert soon(told) == "-EP -m gitmem.hook git post-rewrite rebase\nold new\n"


def test_of_a_push_the_remote_is_passed_on(repository: Path, told: Path) -> None:
    git(repository, "config", "ocm.autoPush", "yes")
    launcher = repository / ".git" / "ocm" / "run"
    done = run(launcher, "git", "pre-push", "a b", "the url", stdin=b"not for us")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not told.exists()
    assert soon(told) == "-EP -m gitmem.hook git pre-push a b the url\n"


def test_what_became_of_the_last_push_is_said_once(repository: Path) -> None:
    launcher = install(repository, "/no/such/python")
    launcher.with_name("push-failed").write_text("not sent\n")
    push = ("git", "pre-push", "origin", "url")
    assert [run(launcher, *push).stdout for _ in range(2)] == [b"not sent\n", b""]
    assert [each.name for each in launcher.parent.iterdir()] == ["run"]


HEAVY = {"pygit2", "tantivy", "mcp", "typer", "rich", "yaml", "html"}
HEARD = (
    "import sys; sys.argv[1:] = ['claude-code']\n"
    "from gitmem.hook.main import main; main()\n"
    "print(*sys.modules, file=sys.stderr)"
)


def heard(repository: Path, name: str) -> tuple[str, set[str]]:
    """What a hook prints at an event, and the modules that it has loaded at its end."""
    command = shlex.join([sys.executable, "-c", HEARD])
    done = run_command(command, claude(name, repository, ONE), repository)
    loaded = {*done.stderr.decode().split()}
    assert "gitmem.hook.main" in loaded
    return done.stdout.decode(), loaded


@few(1, "name", ["UserPromptSubmit", "Stop", "PostToolUse-TodoWrite"])
def test_hook_imports_are_few(repository: Path, name: str) -> None:
    """Nor what parses headers, unless it has to."""
    out, loaded = heard(repository, name)
    assert (out, loaded & HEAVY) == ("", set())
    assert name == "Stop" or kinds(repository, ONE)


def test_a_start_loads_no_search(repository: Path) -> None:
    out, loaded = heard(repository, "SessionStart-startup")
    assert "additionalContext" in out
    assert "tantivy" not in loaded


@few(1, "name", ["UserPromptSubmit", "Stop"])
def test_storing_nothing_loads_no_redaction_rules(repository: Path, name: str) -> None:
    root = str(repository)
    note(repository, event(Prompt, client=ONE, root=root, text="one"))
    note(repository, event(Heard, 1, ONE, root=root, transcript="/t", offset=9))
    out, loaded = heard(repository, name)
    assert (out, "gitmem.redaction.secrets" in loaded) == ("", False)
