"""A clone that fetches straight into our refs, as `git clone --mirror` has it."""

import subprocess
from pathlib import Path

import pytest
from remote.clones import Clone, make_clones
from support.clones import travel
from support.harness import copied, git

from gitmem.actions.restoring.candidates import candidates
from gitmem.actions.restoring.restore import restore
from gitmem.documents.kinds import refs as all_refs
from gitmem.store.remote.remote import to_leave_out, written_over

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


def fetch(mirror: Clone) -> None:
    git(mirror.folder, "fetch", "--quiet")
    assert "forced-update" in git(mirror.folder, "reflog", "-1", "refs/ocm/sessions")


def goals(clone: Clone) -> set[str]:
    return {each.goal for each in clone.workspace().current_sessions().newest()}


def test_overwritten_by_a_fetch_is_restored(clones: list[Clone]) -> None:
    mirror, _ = clones
    fetch(mirror)
    assert goals(mirror) == {"Of Bob, again"}
    lost = candidates(mirror.workspace(), with_forgotten=False).lost
    restore(mirror.workspace(), lost)
    assert goals(mirror) == {"Of Ada", "Of Bob, again"}


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
