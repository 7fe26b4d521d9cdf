"""What `ocm doctor` says of the folders in which assistants have memory."""

import json
import os
import time
from pathlib import Path

import pytest
from examining import CLAUDE, NOTE, OK, WARNING, Place
from harness import git, make_repository
from installing import installed
from rounds import few
from seeing import event, note, now
from support import workspace_at

from gitmem.actions.doctor.finding import Code, Finding
from gitmem.actions.installing.everywhere import Scope
from gitmem.actions.repair.installation import installation
from gitmem.documents.session.event import End, Fork, Prompt, Start

ID = "22222222-2222-4333-8444-555555555555"


def init(place: Place, scope: Scope = Scope.REPOSITORY) -> None:
    installed(workspace_at(place.repository), scope=scope)


def reached(place: Place, about: str) -> list[Finding]:
    found = [each for each in place.findings() if each.code is Code.REACH]
    return [each for each in found if each.about == about]


def transcript(place: Place, folder: Path, session: str = ID, ahead: int = 60) -> None:
    """What Claude Code keeps of a conversation that it began in a folder."""
    name = "".join(each if each.isalnum() else "-" for each in str(folder))
    line = {"type": "user", "sessionId": session, "cwd": str(folder)}
    file = place.write_json(f"~/.claude/projects/{name}/{session}.jsonl", line)
    changed = time.time() + ahead
    os.utime(file, (changed, changed))


def test_it_is_said_which_settings_are_active(healthy: Place) -> None:
    [files] = reached(healthy, "")
    assert (files.grade, "at the top of this work tree" in files.what) == (OK, True)
    init(healthy)
    [both] = reached(healthy, "")
    assert "this repository; files of this work tree do as well" in both.what
    init(healthy, Scope.ALL)
    [every] = reached(healthy, "")
    assert "in all your repositories" in every.what


def test_of_a_repository_that_nothing_serves_that_is_a_note(place: Place) -> None:
    [found] = reached(place, "")
    assert (found.grade, bool(found.mend)) == (NOTE, True)


@few(1, "scope", [Scope.REPOSITORY, Scope.ALL])
def test_serving_user_settings_are_well(
    healthy: Place, scope: Scope, tmp_path: Path
) -> None:
    other = Place(make_repository(tmp_path / "other"), healthy.home)
    init(healthy, scope)
    if scope is Scope.REPOSITORY:
        init(other)
    grave = {each.code for each in other.grave()}
    expected = {Code.REGISTRY, Code.COPIES, Code.GIT_HOOK, Code.FOLDER_TRUST}
    assert grave <= (expected if scope is Scope.ALL else {Code.FOLDER_TRUST})


@pytest.mark.endurance
def test_what_is_not_well_in_the_user_settings_is_found(healthy: Place) -> None:
    init(healthy)
    settings = healthy.home / ".claude" / "settings.json"
    settings.unlink()
    (healthy.home / "ocm" / "ocm" / "run").unlink()
    grave = {(each.code, each.where) for each in healthy.grave()}
    run = str(healthy.home / "ocm" / "ocm" / "run")
    assert grave == {(Code.HOOK_ENTRIES, str(settings)), (Code.LAUNCHER, run)}
    assert all(each.is_mendable for each in healthy.grave())
    list(installation(workspace_at(healthy.repository)))
    assert healthy.grave() == []


def test_branch_without_the_files_is_found(healthy: Place, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(healthy.repository, "worktree", "add", "--quiet", str(linked))
    [found] = reached(healthy, "work-trees")
    assert (found.grade, str(linked) in found.what) == (WARNING, True)
    assert "`ocm init --user`" in found.mend
    note(healthy.repository, event(Start, client=ID, at=now(), root=str(linked)))
    assert reached(healthy, "work-trees") == []


def test_unheard_subfolder_is_found(healthy: Place, tmp_path: Path) -> None:
    folder = healthy.repository / "src" / "deep"
    transcript(healthy, healthy.repository)
    transcript(healthy, tmp_path / "repository-of-another")
    transcript(healthy, folder, ID.replace("2", "3"), ahead=-600)
    assert reached(healthy, "subfolders") == []
    transcript(healthy, folder)
    [found] = reached(healthy, "subfolders")
    assert (found.grade, str(folder) in found.what) == (WARNING, True)
    assert "`ocm init --user`" in found.mend
    note(healthy.repository, event(Start, client=ID, at=now()))
    assert reached(healthy, "subfolders") == []


def test_serving_user_settings_end_both(healthy: Place, tmp_path: Path) -> None:
    git(healthy.repository, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    transcript(healthy, healthy.repository / "src")
    assert {each.about for each in healthy.grave()} == {"work-trees", "subfolders"}
    init(healthy)
    assert healthy.grave() == []


def test_user_settings_are_shown_anywhere(healthy: Place, tmp_path: Path) -> None:
    def told() -> list[str]:
        found = healthy.findings_at(tmp_path)
        return [each.what for each in found if each.code is Code.REACH]

    assert told() == []
    init(healthy)
    whom = "your own settings serve repositories that said yes"
    assert told() == [f"{whom}: {healthy.repository.name}"]
    git(healthy.repository, "config", "ocm.everywhere", "no")
    assert told() == [f"{whom}: none yet"]
    init(healthy, Scope.ALL)
    assert told() == ["your own settings serve every repository"]


@few(1, "is_known", [True, False])
def test_a_fork_is_nothing_to_be_warned_of(healthy: Place, *, is_known: bool) -> None:
    root = str(healthy.repository)
    parent = [Fork] if is_known else []
    note(
        healthy.repository,
        event(Start, client=ID, at=now(), root=root, source="fork"),
        *(event(each, client=ID, at=now(), root=root, parent="one") for each in parent),
        event(Prompt, client=ID, at=now(), root=root, text="Try it another way"),
        event(End, client=ID, at=now(), root=root),
    )
    workspace_at(healthy.repository).current_sessions()
    assert healthy.grave() == []
    heard = healthy.found(Code.HEARD, CLAUDE)
    assert (heard.grade, "just now" in heard.what) == (OK, True)


def test_what_was_heard_is_never_said_to_run_no_hooks(healthy: Place) -> None:
    healthy.write_json("~/.claude.json", {})
    told = [each.what for each in healthy.findings() if each.about == CLAUDE]
    assert any("last heard of just now" in each for each in told)
    assert not any("runs no hooks" in each for each in told)
    assert json.loads(healthy.read(".claude/settings.json"))["hooks"]
