"""Backups are of seven days, here alone, and without what was forgotten."""

from datetime import timedelta
from pathlib import Path

import pytest
from support.clones import Clone, make_clones, remote_in, travel
from support.harness import NOON, git
from support.histories import Clones, documents, session
from support.rounds import few
from support.workspaces import workspace_at

from gitmem.actions.forgetting import forget, sessions_named
from gitmem.actions.scanning.rewrite import redact_stored
from gitmem.git.values import FILE_MODE, TreeEntry
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.trees.backups import BACKUP, back_up, backups_of
from gitmem.store.trees.lost_sessions import lost
from gitmem.store.trees.session_tree import REF, sessions_at

ONE, TWO = session(0, goal="begun"), session(1, goal="begun")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Clone, Clone]:
    one, other = make_clones(tmp_path, 2)
    return one, other


def of_backups(folder: Path) -> list[list[str]]:
    """The ids of each, the newest first."""
    found = workspace_at(folder).repository
    tips = [found.resolve_ref(ref) for ref in backups_of(found, REF)]
    return [sorted(sessions_at(found, tip).ids()) for tip in tips]


def test_the_first_state_of_a_day_is_kept_and_seven_days(repository: Path) -> None:
    clones = Clones(repository)
    states = [clones.commit(documents(ONE))]
    states.append(clones.commit(documents(TWO), states[0]))
    lock = repository / ".git" / "packed-refs.lock"
    git(repository, "config", "core.packedRefsTimeout", "1")
    for day in range(9):
        if day == 7:
            lock.touch()  # a git that was killed left it, so none can be deleted
        for state in states:
            back_up(clones.git, REF, state, NOON + timedelta(days=day))
        lock.unlink(missing_ok=True)
    names = backups_of(clones.git, REF)
    days = [f"{BACKUP}sessions/{NOON + timedelta(days=d):%Y-%m-%d}" for d in range(9)]
    assert names == days[:1:-1]
    assert {clones.git.resolve_ref(name) for name in names} == {states[0]}


def test_it_is_made_before_a_merge_and_not_sent(
    pair: tuple[Clone, Clone], tmp_path: Path
) -> None:
    one, other = pair
    one.save("a", "first")
    travel(one.workspace())
    travel(other.workspace())
    assert of_backups(one.folder) == of_backups(other.folder) == []
    [before] = [*one.memory().ids()]
    other.save("b", "second")
    travel(other.workspace())
    travel(one.workspace())
    assert of_backups(one.folder) == [[before]]
    assert len([*one.memory().ids()]) == 2
    git(one.folder, "push", "--quiet", "--tags", "origin", "HEAD:refs/heads/main")
    travel(one.workspace())
    assert git(remote_in(tmp_path), "for-each-ref", BACKUP) == ""


@pytest.mark.endurance
def test_forgotten_leaves_backups_too(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    one.save("a", "first")
    one.save("b", "second")
    travel(one.workspace())
    other.save("c", "third")
    travel(other.workspace())
    travel(one.workspace())
    [backup] = of_backups(one.folder)
    assert len(backup) == 2
    workspace = one.workspace()
    forget(workspace, sessions_named(workspace, ["a"], from_history=False))
    [left] = of_backups(one.folder)
    assert left == [each for each in backup if each in {*one.memory().ids()}]
    assert len(left) == 1


def test_so_do_items_that_are_forgotten(repository: Path) -> None:
    clones = Clones(repository)
    made = session(0, goal="begun", decisions=("keep it", "drop it"))
    commit = clones.commit(documents(made))
    clones.git.update_ref(REF, None, commit, "test")
    back_up(clones.git, REF, commit, NOON)
    workspace = workspace_at(repository)
    workspace.store.remove_items(made.id, ["drop it"], NOON)
    [backup] = backups_of(clones.git, REF)
    for ref in (REF, backup):
        found = sessions_at(clones.git, clones.git.resolve_ref(ref)).document(made.id)
        assert found
        assert found.decisions == ("keep it",)
    assert lost(workspace.repository, workspace.store.memory()) == []


@pytest.mark.endurance
@few(1, "from_history", [False, True])
def test_so_does_what_others_forgot_once_that_is_accepted(
    pair: tuple[Clone, Clone], *, from_history: bool
) -> None:
    one, other = pair
    for clone, name in ((one, "a"), (other, "b"), (one, "c")):
        clone.save(name, f"goal {name}")
        travel(clone.workspace())
    theirs = other.workspace()
    travel(theirs)
    [session] = [each for each in other.memory().newest() if each.goal == "goal a"]
    if from_history:
        forget(theirs, [session], TransportOptions(60.0))
    else:
        forget(theirs, [session])
    travel(theirs)
    travel(one.workspace())
    [before] = of_backups(one.folder)
    assert session.id in before
    assert one.accept(session.id) == [session.id]
    assert of_backups(one.folder) == [[i for i in before if i != session.id]]
    told = git(one.folder, "log", "-p", "--glob=refs/ocm/backup")
    assert ("goal a" in told) is not from_history


def test_what_is_redacted_anew_is_so_in_backups(repository: Path) -> None:
    clones = Clones(repository)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    [(path, content)] = documents(ONE).items()
    raw = clones.blob(str(content).replace("begun", f"use {secret[:40]}").encode())
    commit = clones.commit({path: TreeEntry(raw, FILE_MODE)})
    clones.git.update_ref(REF, None, commit, "test")
    back_up(clones.git, REF, commit, NOON)
    redact_stored(workspace_at(repository), [ONE.id])
    [backup] = backups_of(clones.git, REF)
    for ref in (REF, backup):
        text = sessions_at(clones.git, clones.git.resolve_ref(ref)).text(ONE.id) or ""
        assert "## Goal" in text
        assert secret[:40] not in text
