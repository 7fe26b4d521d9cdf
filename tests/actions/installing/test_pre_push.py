"""The hook `pre-push`: there where it was asked for, and in nobody's way."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml
from support.harness import git
from support.installing import put
from support.rounds import few
from support.workspaces import workspace_at

from gitmem.actions.installing.git_hooks import (
    installed,
    optional_steps,
    planned,
    removal,
)
from gitmem.actions.installing.plan import Step, StepOutcome, carry_out
from gitmem.workspace import Workspace

LFS = b'#!/bin/sh\n{ echo "$@"; cat; } >>"${0%/*}/lfs"\n'
REFUSES = b"#!/bin/sh\nexit 3\n"
TOLD = b'#!/bin/sh\necho "$@" >>"$0.told"\necho said\n'


@pytest.fixture
def workspace(repository: Path) -> Workspace:
    """A repository with a remote, where pushes are to be told."""
    git(repository.parent, "init", "--quiet", "--bare", "origin.git")
    git(repository, "remote", "add", "origin", "../origin.git")
    git(repository, "config", "ocm.autoPush", "true")
    return workspace_at(repository)


def hook_of(workspace: Workspace) -> Path:
    return workspace.repository.common_dir / "hooks" / "pre-push"


def hooks(workspace: Workspace) -> dict[str, tuple[int, bytes]]:
    folder = hook_of(workspace).parent
    return {p.name: (p.stat().st_mode, p.read_bytes()) for p in folder.iterdir()}


def made_so(workspace: Workspace) -> list[StepOutcome]:
    return [
        result.outcome for result in carry_out(optional_steps(workspace, "pre-push"))
    ]


def one_step(workspace: Workspace) -> Step:
    [step] = optional_steps(workspace, "pre-push")
    return step


def push(workspace: Workspace, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "push", "--quiet", *more],
        cwd=workspace.root,
        capture_output=True,
        text=True,
        check=False,
    )


def told(workspace: Workspace) -> list[str]:
    file = workspace.repository.common_dir / "ocm" / "run.told"
    return file.read_text().splitlines() if file.exists() else []


def test_it_is_there_only_where_it_was_asked_for(workspace: Workspace) -> None:
    git(workspace.root, "config", "ocm.autoPush", "false")
    assert optional_steps(workspace, "pre-push") == []
    assert len(planned(workspace)) == len(installed(workspace)) == 2
    git(workspace.root, "config", "ocm.autoPush", "yes")
    assert made_so(workspace) == [StepOutcome.DONE]
    assert made_so(workspace) == [StepOutcome.ALREADY]
    [*_, push] = installed(workspace)
    assert (push.hook.name, push.hook.version, push.is_live) == ("pre-push", 1, True)


@few(1, "before", [LFS, None])
def test_it_goes_when_turned_off(workspace: Workspace, before: bytes | None) -> None:
    if before:
        put(hook_of(workspace), before, 0o744)
    were = hooks(workspace)
    made_so(workspace)
    assert hooks(workspace) != were
    git(workspace.root, "config", "--unset", "ocm.autoPush")
    assert [each.is_wanted for each in installed(workspace)] == [True, True, False]
    assert made_so(workspace) == [StepOutcome.DONE]
    assert hooks(workspace) == were


@few(1, "setting", ["false", "true"])
def test_uninstall_restores_what_was_there(workspace: Workspace, setting: str) -> None:
    put(hook_of(workspace), LFS, 0o700)
    were = hooks(workspace)
    list(carry_out(planned(workspace)))
    git(workspace.root, "config", "ocm.autoPush", setting)
    outcomes = [result.outcome for result in carry_out(removal([workspace]))]
    assert outcomes == [StepOutcome.DONE] * 3
    assert hooks(workspace) == were
    assert len(removal([workspace])) == 2


def test_it_goes_also_where_git_looked_before(workspace: Workspace) -> None:
    made_so(workspace)
    git(workspace.root, "config", "core.hooksPath", "tools")
    results = list(carry_out(removal([workspace])))
    assert [r.outcome for r in results if "pushes" in r.step.state] == [
        StepOutcome.DONE
    ]
    assert not hook_of(workspace).exists()


def test_documents_show_what_managers_of_hooks_shall_run(workspace: Workspace) -> None:
    page = (Path(__file__).parents[3] / "docs" / "install.md").read_text()
    lefthook, pre_commit = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    shown = yaml.safe_load(lefthook)
    assert shown["post-rewrite"]["commands"]["ocm"]["use_stdin"] is True
    [push, _] = yaml.safe_load(pre_commit)[0]["hooks"]
    assert push["stages"] == ["pre-push"]
    for mark, file, config in (
        (b"lefthook", "lefthook-local.yml", lefthook),
        (b"# pre-commit.com", ".pre-commit-config.yaml", pre_commit),
    ):
        put(hook_of(workspace), b"#!/bin/sh\n" + mark)
        assert one_step(workspace).why_not.endswith("has this hook; have it run this")
        put(workspace.root / file, config.encode(), 0o644)
        assert made_so(workspace) == [StepOutcome.ALREADY]


def test_husky_is_given_a_line_that_works(workspace: Workspace) -> None:
    git(workspace.root, "config", "core.hooksPath", ".husky/_")
    folder = workspace.root / ".husky"
    put(
        folder / "_" / "pre-push",
        b'#!/bin/sh\n# husky\nsh -e "${0%/*}/../pre-push" "$@"',
    )
    line = one_step(workspace).advice
    put(folder / "pre-push", line.encode() + b"\n", 0o644)
    assert made_so(workspace) == [StepOutcome.ALREADY]
    assert (push(workspace, "origin", "main").stderr, told(workspace)) == ("", [])
    put(workspace.repository.common_dir / "ocm" / "run", TOLD)
    assert push(workspace, "origin", "main").stderr == "said\n"
    assert told(workspace) == ["git pre-push origin ../origin.git"]


def test_line_of_a_team_is_ignored_unless_asked(workspace: Workspace) -> None:
    git(workspace.root, "config", "core.hooksPath", ".husky/_")
    advice = one_step(workspace).advice
    put(workspace.root / ".husky" / "pre-push", advice.encode(), 0o644)
    git(workspace.root, "config", "--unset", "ocm.autoPush")
    assert optional_steps(workspace, "pre-push") == []


class TestText:
    """What git runs."""

    @pytest.fixture(autouse=True)
    def there(self, workspace: Workspace) -> None:
        made_so(workspace)

    def test_the_launcher_is_told_where_to(self, workspace: Workspace) -> None:
        put(workspace.repository.common_dir / "ocm" / "run", TOLD)
        git(workspace.root, "worktree", "add", "--quiet", "../linked")
        linked = workspace_at(workspace.root.parent / "linked")
        for each in (workspace, linked):
            done = push(each, "origin", "HEAD")
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "said\n")
        push(workspace, "../origin.git", "main:other")
        assert told(workspace) == [
            *["git pre-push origin ../origin.git"] * 2,
            "git pre-push ../origin.git ../origin.git",
        ]

    def test_earlier_hook_reads_all_of_stdin(self, workspace: Workspace) -> None:
        put(hook_of(workspace).with_name("pre-push.before-ocm"), LFS)
        put(workspace.repository.common_dir / "ocm" / "run", TOLD)
        tip = git(workspace.root, "rev-parse", "HEAD")
        push(workspace, "origin", "main")
        assert hook_of(workspace).with_name("lfs").read_text().splitlines() == [
            "origin ../origin.git",
            f"refs/heads/main {tip} refs/heads/main {'0' * 40}",
        ]
        assert len(told(workspace)) == 1

    def test_where_it_refuses_nothing_goes_along(self, workspace: Workspace) -> None:
        put(hook_of(workspace).with_name("pre-push.before-ocm"), REFUSES)
        put(workspace.repository.common_dir / "ocm" / "run", TOLD)
        assert push(workspace, "origin", "main").returncode != 0
        done = subprocess.run([hook_of(workspace)], cwd=workspace.root, check=False)
        assert (done.returncode, told(workspace)) == (3, [])

    def test_failing_launcher_fails_no_push(self, workspace: Workspace) -> None:
        for content in (b"#!/bin/sh\nexit 7\n", b"#!/no/such/sh\n"):
            put(workspace.repository.common_dir / "ocm" / "run", content)
            assert push(workspace, "origin", "main").returncode == 0

    def test_without_a_launcher_nothing_happens(self, workspace: Workspace) -> None:
        done = push(workspace, "origin", "main")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    @pytest.mark.endurance
    def test_unread_stdin_does_no_harm(self, workspace: Workspace) -> None:
        names = [f"main:refs/heads/{'x' * 90}{number}" for number in range(900)]
        assert push(workspace, "origin", *names).returncode == 0
