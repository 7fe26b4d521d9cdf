"""A clone that fetches straight into our refs, as `git clone --mirror` has it."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from remote.clones import Clone, forget, make_clones
from support.clones import documents, travel
from support.harness import copied, git

from gitmem.documents.kinds import CONVERSATION
from gitmem.documents.kinds import refs as all_refs
from gitmem.store.remote.held_back import read_unsaid
from gitmem.store.remote.remote import to_leave_out, written_over
from gitmem.store.trees.document_tree import tree_at_tip

MINE, THEIRS = (f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in (0, 1))
REFSPEC = "+refs/*:refs/*"


@pytest.fixture(
    params=[pytest.param(False, marks=pytest.mark.endurance), True],
    ids=["sessions", "said"],
)
def clones(tmp_path: Path, request: pytest.FixtureRequest) -> list[Clone]:
    """A mirror with a session that is not sent, and another clone that has sent one."""
    copied(tmp_path, _mirror_and_another, request.param)
    return [Clone(tmp_path / str(number)) for number in range(2)]


def _mirror_and_another(place: Path, said: bool) -> None:
    mirror, other = make_clones(place, 2, said=said)
    git(mirror.folder, "checkout", "--quiet", "--detach")
    git(mirror.folder, "config", "--add", "remote.origin.fetch", REFSPEC)
    other.checkpoint(THEIRS, goal="Of Bob")
    travel(other.workspace())
    git(mirror.folder, "fetch", "--quiet")
    mirror.checkpoint(MINE, goal="Of Ada")
    mirror.import_conversations(MINE, "Please look at it")
    other.checkpoint(THEIRS, goal="Of Bob, again")
    travel(other.workspace())


def save(mirror: Clone, **said: Any) -> None:
    """As a hook does, which looks for nothing that was fetched."""
    mirror.checkpoint(MINE, **said)
    mirror.workspace().store.replay()


def fetch(mirror: Clone) -> None:
    git(mirror.folder, "fetch", "--quiet")
    assert "forced-update" in git(mirror.folder, "reflog", "-1", "refs/ocm/sessions")


def texts(clone: Clone) -> dict[str, str | None]:
    clone.workspace().current_sessions()
    return documents(clone.memory())


def test_overwritten_by_a_fetch_is_back_for_readers(clones: list[Clone]) -> None:
    mirror, _ = clones
    before = texts(mirror)
    fetch(mirror)
    after = texts(mirror)
    assert before.keys() == after.keys()
    assert mirror.goals() == {"Of Ada", "Of Bob, again"}
    said = tree_at_tip(CONVERSATION, mirror.workspace().repository)
    assert [each for each in said.ids() if said.entry(each)] == [
        each.id for each in mirror.memory().newest() if each.goal == "Of Ada"
    ]


@pytest.mark.endurance
def test_a_sync_sends_it(clones: list[Clone]) -> None:
    mirror, other = clones
    fetch(mirror)
    travel(mirror.workspace())
    travel(other.workspace())
    assert texts(mirror) == texts(other)


@pytest.mark.endurance
def test_what_was_saved_between_two_fetches_stays_as_well(clones: list[Clone]) -> None:
    mirror, other = clones
    fetch(mirror)
    save(mirror, goal="Of Ada, again")
    other.checkpoint(THEIRS, goal="Of Bob, the third time")
    travel(other.workspace())
    fetch(mirror)
    assert mirror.goals() == {"Of Ada, again", "Of Bob, the third time"}


def test_what_is_merged_is_not_merged_again(clones: list[Clone]) -> None:
    mirror, _ = clones
    fetch(mirror)
    mirror.goals()
    tip = git(mirror.folder, "rev-parse", "refs/ocm/sessions")
    mirror.goals()
    assert git(mirror.folder, "rev-parse", "refs/ocm/sessions") == tip


@pytest.mark.endurance
def test_others_forget_nothing_of_the_mirror_in_that_way(clones: list[Clone]) -> None:
    mirror, other = clones
    travel(mirror.workspace())
    travel(other.workspace())
    mine = [each for each in other.memory().newest() if each.goal == "Of Ada"]
    forget(other.workspace(), mine, from_history=False)
    travel(other.workspace())
    save(mirror, decisions=("**A:** it is so",))
    fetch(mirror)
    assert "Of Ada" in mirror.goals()
    assert read_unsaid(mirror.git_dir / "ocm").held == (mine[0].id,)


@pytest.mark.endurance
def test_what_is_forgotten_in_the_mirror_stays_so(clones: list[Clone]) -> None:
    mirror, other = clones
    theirs = [each for each in mirror.memory().newest() if each.goal == "Of Bob"]
    forget(mirror.workspace(), theirs, from_history=False)
    other.checkpoint(THEIRS, goal="Of Bob, the third time")
    travel(other.workspace())
    fetch(mirror)
    assert mirror.goals() == {"Of Ada"}


def test_the_command_that_is_offered_ends_it(clones: list[Clone]) -> None:
    mirror, _ = clones
    seam = mirror.workspace().repository
    refs = written_over(seam, "origin")
    assert refs == all_refs()
    subprocess.run(
        to_leave_out("origin", refs), shell=True, check=True, cwd=mirror.folder
    )
    assert written_over(mirror.workspace().repository, "origin") == []
    tip = git(mirror.folder, "rev-parse", "refs/ocm/sessions")
    git(mirror.folder, "fetch", "--quiet")
    assert git(mirror.folder, "rev-parse", "refs/ocm/sessions") == tip
