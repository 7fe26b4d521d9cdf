"""`ocm show --diff`: what the commits of a session changed, and what it left."""

from collections.abc import Callable
from pathlib import Path

import pytest
from cli.running import Ocm, commit_by_hand
from support.events import event, note, now
from support.harness import CLIENT, git
from support.workspaces import workspace_at

from gitmem.actions.saving.checkpoint import capture
from gitmem.actions.saving.hook_events import note_work_tree_state
from gitmem.documents.event import Edit, Start, Trigger
from gitmem.documents.session.identity import document_path
from gitmem.documents.session.session import Session

CSI = "\x9b"


@pytest.fixture
def began(repository: Path) -> Path:
    (repository / "mine.py").write_text("not of the session\n")
    note(repository, event(Start, at=now(), root=str(repository), source="startup"))
    note_work_tree_state(workspace_at(repository), CLIENT, "claude-code")
    return repository


def write(repository: Path, name: str, content: str) -> None:
    (repository / name).write_text(content)
    note(repository, event(Edit, at=now(), root=str(repository), path=name))


def commit(repository: Path) -> None:
    git(repository, "add", ".", ":!mine.py")
    git(repository, "commit", "--quiet", "--message=work")


def captured(repository: Path, trigger: Trigger = Trigger.GIT_COMMIT) -> Session:
    session = capture(workspace_at(repository), CLIENT, trigger)
    assert session is not None
    return session


def test_the_commits_are_shown_as_git_shows_them(began: Path, ocm: Ocm) -> None:
    for content in ("one\n", "two\n"):
        write(began, "*.py", content)
        commit(began)
    session = captured(began)
    shas = [each.sha for each in session.commits]
    assert len(shas) == 2
    shown = ocm("show", "--diff", session.id)
    assert shown.out == f"{git(began, 'show', *shas)}\n"
    told = ocm("show", "--diff", session.id, "--json").json
    assert (told["diff"], told["uncommitted"]) == (shown.out, None)
    assert told["off_branches"] == told["missing"] == []


def test_only_files_of_the_session_are_shown(began: Path, ocm: Ocm) -> None:
    """Also where the name of one is a pattern, to git."""
    write(began, "*.py", "own\n")
    write(began, "b.py", "another's\n")
    commit(began)
    session = captured(began)
    path = document_path(session.id)
    document = git(began, "show", f"refs/ocm/sessions:{path}")
    changed = document.replace("- `b.py`", "- `../outside`")
    commit_by_hand(began, path, f"{changed}\n")
    shown = ocm("show", "--diff", session.id).out
    assert "own" in shown
    assert "another's" not in shown


def test_commits_that_are_gone_are_named(began: Path, ocm: Ocm) -> None:
    write(began, "a.py", "x\n")
    commit(began)
    session = captured(began)
    git(began, "commit", "--quiet", "--amend", "--message=other")
    shown = ocm("show", "--diff", session.id)
    assert "+x" in shown.out
    assert f"{session.commits[0].sha} work: on no branch" in shown.err
    git(began, "reflog", "expire", "--expire=now", "--all")
    git(began, "prune", "--expire=now")
    shown = ocm("show", "--diff", session.id)
    assert shown.out == ""
    assert f"{session.commits[0].sha} work: not in this clone" in shown.err
    assert "ocm.keepDiff" in shown.err
    [missing] = ocm("show", "--diff", session.id, "--json").json["missing"]
    assert missing == {"sha": session.commits[0].sha, "subject": "work"}


def test_what_is_uncommitted_is_kept_only_if_wanted(began: Path, ocm: Ocm) -> None:
    git(began, "config", "ocm.keepDiff", "true")
    write(began, "file.txt", "changed\n")
    write(began, "new.py", "password = 'kohlrabi7'\n")
    session = captured(began, Trigger.SESSION_END)
    git(began, "checkout", "--quiet", ".")
    (began / "new.py").unlink()
    kept = ocm("show", "--diff", session.id, "--json").json["uncommitted"]
    assert "+changed" in kept
    assert "+password = '[REDACTED" in kept
    assert "not of the session" not in kept
    assert kept in ocm("show", "--diff", session.id).out
    assert "+changed" not in git(began, "log", "-p", "--all")
    file = began / ".git" / "ocm" / "journal" / f"{CLIENT}.diff"
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    ocm("forget", session.id, "--yes")
    assert not file.exists()


def test_a_diff_that_is_not_wanted_any_more_goes(began: Path) -> None:
    file = began / ".git" / "ocm" / "journal" / f"{CLIENT}.diff"
    git(began, "config", "ocm.keepDiff", "true")
    write(began, "big.txt", "x" * 300_000)
    captured(began)
    assert file.read_text("utf-8").endswith("\n\n# big.txt: too large to be kept\n")
    git(began, "config", "ocm.keepDiff", "false")
    captured(began)
    assert not file.exists()


def test_a_terminal_gets_colors_and_no_other_control_characters(
    began: Path, ocm: Ocm, terminal: Callable[[int], None]
) -> None:
    write(began, "a.py", f"title \x1b]0;owned\x07{CSI}2J\n")
    commit(began)
    session = captured(began)
    terminal(80)
    shown = ocm("show", "--diff", session.id).out
    assert "\x1b[32m" in shown
    assert not any(each in shown for each in ("\x07", CSI, "\x1b]"))
    git(began, "config", "color.ui", "never")
    assert "\x1b" not in ocm("show", "--diff", session.id).out
