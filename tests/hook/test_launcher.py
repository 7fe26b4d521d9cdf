"""The launcher: what shared files start, where there may be nothing else of ours."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Collection
from pathlib import Path

import pytest
from hook.calls import claude, install, kinds, run_command
from support.events import event, note
from support.harness import git, script
from support.rounds import every_row, few

from gitmem.documents.event import Prompt, Start, TranscriptRead
from gitmem.resources import resource

ONE = "11111111-2222-4333-8444-555555555555"


def run(
    launcher: Path,
    *arguments: str,
    stdin: bytes = b"",
    pass_fds: Collection[int] = (),
    **variables: str,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(launcher), *arguments],
        input=stdin,
        cwd=launcher.parents[2],
        env={"PATH": "/usr/bin:/bin", **variables},
        capture_output=True,
        check=False,
        timeout=60,
        pass_fds=pass_fds,
    )


def test_it_names_its_version() -> None:
    assert "\n# ocm run 1\n" in resource("hooks/run").read_text("utf-8")


def program(folder: Path, content: str) -> str:
    return str(script(folder / "program", content))


@pytest.fixture(params=["/no/such/python", "", "without gitmem", "it's here"])
def useless(request: pytest.FixtureRequest, repository: Path, tmp_path: Path) -> Path:
    """A launcher whose Python is gone, has no gitmem any more, or cannot run."""
    python = str(request.param)
    if python == "without gitmem":
        python = program(tmp_path, f"exec '{sys.executable}' -I -S \"$@\"")
    return install(repository, python)


def test_without_python_it_is_silent(useless: Path) -> None:
    repository = useless.parents[2]
    note(repository, event(Start, client=ONE, root=str(repository)))
    stdin = b'{"session_id":"' + b"x" * 100_000 + b'"}'
    for arguments in (
        *("hook claude-code", "edit claude-code", "edit nobody", "git post-commit"),
        *("git post-rewrite amend", "git pre-push origin url", "git", "", "unknown"),
    ):
        done = run(useless, *arguments.split(), stdin=stdin)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), arguments
    assert kinds(repository, ONE) == ["Start"]


@every_row(
    ("named", "copilot", "is_heard"),
    [
        *[(name, "", False) for name in ("claude-code", "codex", "gemini-cli")],
        ("opencode", "", False),
        ("copilot", "1", False),
        ("copilot", "", True),  # VS Code, which runs the hooks of Copilot's file
        ("cursor", "", True),
    ],
)
def test_an_edit_ends_in_silence_where_a_transcript_tells_it(
    repository: Path, told: Path, named: str, copilot: str, *, is_heard: bool
) -> None:
    told.unlink(missing_ok=True)
    launcher = seen(repository)
    done = run(launcher, "edit", named, stdin=b"{}", COPILOT_CLI=copilot)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert told.exists() == is_heard


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
    """What Python is told; the launcher is installed."""
    told = tmp_path / "told"
    tell = f'{{ echo "$@"; cat; }} >"{told}.part"; mv "{told}.part" "{told}"'
    install(repository, program(tmp_path, tell))
    return told


def told_by(told: Path, *arguments: str, stdin: bytes = b"") -> str:
    """What Python was told when all has ended that the launcher started."""
    launcher = told.parent / "repository" / ".git" / "ocm" / "run"
    script(told.parent / "bin" / "sleep", "")  # there is nobody to wait for
    ours, theirs = os.pipe()
    path = f"{told.parent / 'bin'}:/usr/bin:/bin"
    done = run(launcher, *arguments, stdin=stdin, pass_fds=[theirs], PATH=path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    os.close(theirs)
    assert os.read(ours, 1) == b""
    os.close(ours)
    return told.read_text() if told.exists() else ""


def soon(path: Path) -> str:
    until = time.monotonic() + 20
    while not path.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return path.read_text()


def seen(repository: Path) -> Path:
    note(repository, event(Start, client=ONE, root=str(repository)))
    return repository / ".git" / "ocm" / "run"


def test_git_does_not_wait_for_what_is_told(repository: Path, told: Path) -> None:
    assert told_by(told, "git", "post-commit") == ""  # there is no conversation
    launcher = seen(repository)
    git(repository, "config", "ocm.autoPush", "yes")
    for arguments, said in (
        (("post-commit",), f"{git(repository, 'rev-parse', 'HEAD')} told-.git"),
        (("pre-push", "a b", "the url"), "a b the url"),
    ):
        done = run(launcher, "git", *arguments, stdin=b"not for us")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert not told.exists()
        assert soon(told) == f"-EP -m gitmem.hook git {arguments[0]} {said}\n"
        told.unlink()


@pytest.mark.parametrize("state", ["rebase-merge", "rebase-apply"])
def test_rebase_is_told_at_its_end(repository: Path, told: Path, state: str) -> None:
    seen(repository)
    (repository / ".git" / state).mkdir()
    assert told_by(told, "git", "post-commit") == ""
    pairs = b"old new\n"
    assert told_by(told, "git", "post-rewrite", "amend", stdin=pairs) == ""
    said = told_by(told, "git", "post-rewrite", "rebase", stdin=pairs)
    assert said == "-EP -m gitmem.hook git post-rewrite rebase\nold new\n"


def test_of_a_push_the_remote_is_passed_on(repository: Path, told: Path) -> None:
    """Where the user asked for that."""
    push = ("git", "pre-push", "a b", "the url")
    for setting in (None, "false", "maybe"):
        if setting:
            git(repository, "config", "ocm.autoPush", setting)
        assert told_by(told, *push) == ""
    git(repository, "config", "ocm.autoPush", "yes")
    said = told_by(told, *push, stdin=b"not for us")
    assert said == "-EP -m gitmem.hook git pre-push a b the url\n"


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
    note(
        repository, event(TranscriptRead, 1, ONE, root=root, transcript="/t", offset=9)
    )
    out, loaded = heard(repository, name)
    rules = {"gitmem.redaction.secrets"}
    assert (out, loaded & (HEAVY | rules)) == ("", set())
