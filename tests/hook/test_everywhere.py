"""Hooks in the user's own settings: in every folder, of repositories that said yes."""

import json
import shlex
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hook.calls import Call, claude, events, kinds, run_command
from support.harness import git, make_repository
from support.installing import installed, python_with_gitmem, tree
from support.rounds import few
from support.workspaces import workspace_at

from gitmem.actions.installing.plan import StepOutcome
from gitmem.actions.installing.user_settings import Scope
from gitmem.resources import resource

ONE = "11111111-2222-4333-8444-555555555555"
CLAUDE = ".claude/settings.json"


@pytest.fixture(autouse=True)
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What launchers start that `ocm init` writes."""
    python = python_with_gitmem(tmp_path)
    monkeypatch.setattr(sys, "executable", str(python))
    return python


@pytest.fixture
def linked(repository: Path) -> Path:
    """A work tree whose branch lacks what init writes into another."""
    (repository / "src" / "deep").mkdir(parents=True)
    place = repository.with_name("linked tree")
    git(repository, "worktree", "add", "--quiet", "-b", "other", str(place))
    (place / "src").mkdir()
    return place


def init(repository: Path, scope: Scope | None = Scope.REPOSITORY) -> None:
    results = installed(workspace_at(repository), "claude-code", scope=scope)
    assert StepOutcome.FAILED not in {each.outcome for each in results}


def commands(call: Call, *files: Path) -> Iterator[str]:
    """What Claude Code runs on an event: of equal commands, one."""
    settings = [json.loads(file.read_text()) for file in files]
    groups = [each["hooks"].get(call.event, ()) for each in settings]
    subject = call.tool or call.payload.get("source", "")
    yield from dict.fromkeys(
        hook["command"]
        for group in chain.from_iterable(groups)
        if not group.get("matcher") or subject in group["matcher"].split("|")
        for hook in group["hooks"]
    )


def told(call: Call, folder: Path, *files: Path, shell: str = "sh") -> list[str]:
    """What the hooks say that Claude Code runs when it was started in a folder."""
    call = Call(
        {**call.payload, "cwd": str(folder)},
        {**call.variables, "CLAUDE_PROJECT_DIR": str(folder)},
    )
    own = [each for each in (Path.home() / CLAUDE, folder / CLAUDE) if each.exists()]
    said = []
    for command in commands(call, *own, *files):
        done = run_command(command, call, folder, shell)
        assert (done.returncode, done.stderr) == (0, b"")
        said.append(done.stdout.decode())
    assert said or not own
    return [each for each in said if each]


def everything(*folders: Path) -> dict[Path, object]:
    return tree(*folders, Path.home())


@pytest.mark.endurance
@few(1, "where", ["src/deep", "../linked tree", "../linked tree/src"])
def test_every_work_tree_is_heard(repository: Path, linked: Path, where: str) -> None:
    init(repository)
    folder = (repository / where).resolve()
    root = linked if folder.is_relative_to(linked) else repository
    assert not (repository / CLAUDE).exists()
    assert git(repository, "status", "--porcelain") == ""
    [brief] = told(claude("SessionStart-startup", folder, ONE), folder)
    assert "hookSpecificOutput" in json.loads(brief)
    assert kinds(repository, ONE)[0] == "Start"
    assert {event.root for event in events(repository, ONE)} == {str(root)}


@pytest.mark.endurance
def test_unwilling_repository_is_left_alone(repository: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    (other / "src").mkdir()
    init(repository)
    for scope in (Scope.REPOSITORY, Scope.ALL):
        init(repository, scope)
        before = everything(other, repository)
        for folder in (other, other / "src", tmp_path):
            for call in (
                claude("SessionStart-startup", folder, ONE),
                claude("UserPromptSubmit", folder, ONE),
            ):
                assert told(call, folder) == []
        assert everything(other, repository) == before
        git(other, "config", "ocm.everywhere", "no")


@pytest.mark.endurance
def test_user_opts_in_for_all(repository: Path, tmp_path: Path) -> None:
    other = make_repository(tmp_path / "other")
    init(repository, Scope.ALL)
    assert len(told(claude("SessionStart-startup", other, ONE), other)) == 1
    assert told(claude("UserPromptSubmit", other, ONE), other) == []
    assert kinds(other, ONE)[0] == "Start"
    assert kinds(other, ONE)[-1] == "Prompt"
    assert not (other / ".git" / "ocm" / "run").exists()


@pytest.fixture
def started(python: Path) -> Path:
    """Where each start of Python leaves a line; nothing else comes of it."""
    file = python.with_name("started")
    python.write_text(f"#!/bin/sh\necho >>'{file}'\n")
    return file


@pytest.mark.parametrize(("where", "is_local"), [(".", False), ("src", True)])
def test_an_event_that_both_settings_tell_counts_once(
    repository: Path, started: Path, where: str, *, is_local: bool
) -> None:
    """Version 2.1.330 reads the local settings of the main work tree in any folder."""
    (repository / "src").mkdir()
    workspace = workspace_at(repository)
    installed(workspace, "claude-code", scope=Scope.WORK_TREE, is_local=is_local)
    init(repository)
    folder = (repository / where).resolve()
    local = [repository / ".claude/settings.local.json"] if is_local else []
    start = claude("SessionStart-startup", folder, ONE)
    files = (Path.home() / CLAUDE, folder / CLAUDE, *local)
    assert len(set(commands(start, *(each for each in files if each.exists())))) == 2
    for call in (start, claude("UserPromptSubmit", folder, ONE)):
        assert told(call, folder, *local) == []
    assert started.read_text() == "\n" * 2


@pytest.mark.parametrize("scope", [None, Scope.REPOSITORY, Scope.WORK_TREE])
def test_an_event_that_the_plugin_tells_too_counts_once(
    repository: Path, started: Path, scope: Scope | None
) -> None:
    name = "claude-code" if scope else "cursor"
    installed(workspace_at(repository), name, scope=scope)
    call = claude("UserPromptSubmit", repository, ONE)
    folder = {**call.variables, "CLAUDE_PROJECT_DIR": str(repository)}
    plugin = resource("hooks/claude-code/settings.json")
    own = [each / CLAUDE for each in (Path.home(), repository)]
    for variables, files in (
        (folder, [each for each in own if each.exists()]),
        ({**folder, "CLAUDE_PLUGIN_ROOT": "/plugin"}, [plugin]),
    ):
        for command in commands(call, *files):
            done = run_command(command, Call(call.payload, variables), repository)
            assert (done.returncode, done.stderr) == (0, b"")
    assert started.read_text() == "\n"


def test_work_tree_files_count_alone(
    repository: Path, tmp_path: Path, started: Path
) -> None:
    other = make_repository(tmp_path / "other")
    init(other, Scope.WORK_TREE)
    init(repository)
    assert told(claude("UserPromptSubmit", other, ONE), other) == []
    assert started.read_text() == "\n"


def test_nothing_that_stands_in_a_repository_is_run(
    repository: Path, started: Path
) -> None:
    init(repository)
    run = repository / ".git" / "ocm" / "run"
    run.write_text("#!/bin/sh\ntouch was-run\n")
    told(claude("UserPromptSubmit", repository, ONE), repository)
    assert not list(repository.rglob("was-run"))
    assert started.exists()


def test_the_server_is_told_whether_the_repository_said_yes(
    repository: Path, tmp_path: Path, python: Path
) -> None:
    other = make_repository(tmp_path / "other")
    init(repository)
    python.write_text('#!/bin/sh\nshift\necho "$@"\n')
    server = json.loads((Path.home() / ".claude.json").read_text())["mcpServers"]
    entry = server["opencodememory"]
    started = shlex.join([entry["command"], *entry["args"]])
    said = []
    for folder in (repository, other, tmp_path):
        call = Call({}, {"CLAUDE_PROJECT_DIR": str(folder)})
        said.append(run_command(started, call, tmp_path).stdout.decode().strip())
    serve = "-m gitmem serve"
    assert said == [serve, f"{serve} --opt-in", f"{serve} --opt-in"]


@pytest.mark.parametrize(
    ("client", "folders", "event_name"),
    [
        ("cursor", [".cursor", ".cursor"], "beforeSubmitPrompt"),
        ("windsurf", [".codeium/windsurf", ".windsurf"], "pre_user_prompt"),
    ],
)
def test_others_are_heard_by_the_user_settings_once(
    repository: Path, started: Path, client: str, folders: list[str], event_name: str
) -> None:
    """Cursor runs the user's own hooks in another folder than the work tree."""
    (repository / "src").mkdir()
    for scope in (Scope.REPOSITORY, Scope.WORK_TREE):
        installed(workspace_at(repository), client, scope=scope)
    call = Call({}, {"CURSOR_PROJECT_DIR": str(repository / "src")})
    for place, folder in zip((Path.home(), repository), folders, strict=True):
        settings = json.loads((place / folder / "hooks.json").read_text())
        [hook] = settings["hooks"][event_name]
        where = place if client == "cursor" else repository
        done = run_command(hook["command"], call, where)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert started.read_text() == "\n"
