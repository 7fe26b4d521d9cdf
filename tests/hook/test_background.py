"""What is saved once the client has gone on."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hook.calls import claude, log_of, run_command
from support.events import event, note
from support.harness import git, make_repository
from support.workspaces import workspace_at

from gitmem.documents.event import Prompt, Start, Trigger
from gitmem.documents.session.session import Session, Status
from gitmem.store.lock import locked

ONE = "11111111-2222-4333-8444-555555555555"
PATIENCE = 20


def begin(repository: Path) -> None:
    note(repository, event(Start, client=ONE, root=str(repository), source="startup"))


def run(launcher: Path, *names: str) -> None:
    root = launcher.parents[2]
    for name in names:
        call = claude(name, root, ONE)
        assert run_command(f"'{launcher}' hook claude-code", call, root).returncode == 0


def session_when(repository: Path, is_so: Callable[[Session], bool]) -> Session:
    """The session, as soon as this is true of it."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        newest = next(workspace_at(repository).store.memory().newest(), None)
        if newest and is_so(newest):
            return newest
        time.sleep(0.05)
    raise AssertionError(log_of(repository))


def test_end_is_soon_in_the_session(repository: Path, launcher: Path) -> None:
    begin(repository)
    note(repository, event(Prompt, client=ONE, root=str(repository), text="do it"))
    (repository / "hello.txt").write_text("hello\n")
    run(launcher, "PostToolUse-Write", "SessionEnd-other")
    session = session_when(repository, lambda each: each.status is Status.CLOSED)
    assert (session.goal, session.trigger) == ("do it", Trigger.SESSION_END)
    assert [file.path for file in session.files] == ["hello.txt"]
    assert git(repository, "status", "--porcelain") == "?? hello.txt"


@pytest.mark.endurance
def test_at_a_compaction_the_session_is_saved(repository: Path, launcher: Path) -> None:
    run(launcher, "UserPromptSubmit", "SessionStart-compact")
    session = session_when(repository, lambda each: each.goal != "")
    assert session.trigger is Trigger.CONTEXT_LIMIT
    assert session.status is Status.OPEN


@pytest.mark.endurance
def test_early_exit_loses_nothing(repository: Path, launcher: Path) -> None:
    run(launcher, "UserPromptSubmit")
    call = claude("SessionStart-compact", repository, ONE)
    run_command(f"'{launcher}' hook claude-code | :", call, repository)
    session_when(repository, lambda each: each.goal != "")
    assert not log_of(repository)


@pytest.mark.endurance
def test_saved_later_here_whatever_variables_say(
    repository: Path, launcher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other")
    with monkeypatch.context() as patch:
        patch.setenv("GIT_DIR", str(other / ".git"))
        patch.setenv("OCM_PROJECT_DIR", str(other))
        run(launcher, "UserPromptSubmit", "SessionEnd-other")
    session_when(repository, lambda each: each.status is Status.CLOSED)
    assert not (other / ".git" / "ocm").exists()


@pytest.mark.endurance
def test_nobody_waits_for_what_is_saved_later(repository: Path, launcher: Path) -> None:
    """The client reads the hook's output to its end, and that comes at once."""
    run(launcher, "UserPromptSubmit")
    with locked(repository / ".git" / "ocm" / "lock"):
        began = time.monotonic()
        run(launcher, "SessionEnd-other")
        assert time.monotonic() - began < PATIENCE / 2
        assert git(repository, "for-each-ref", "refs/ocm") == ""
    session_when(repository, lambda each: each.status is Status.CLOSED)
