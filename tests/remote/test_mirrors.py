"""A clone that fetches straight into our refs, as `git clone --mirror` has it."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from remote.clones import Clone, make_clones
from support.clones import travel
from support.harness import git

from gitmem.actions.restoring_refs import restore_refs
from gitmem.actions.sharing.share_settings import ShareRequest, proposal
from gitmem.errors import InvalidInput
from gitmem.store.trees.ref_losses import ref_losses
from gitmem.workspace import Workspace

ADA, BOB = (f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in (0, 1))


@pytest.fixture
def clones(tmp_path: Path) -> list[Clone]:
    """A mirror, and another clone that has sent a session."""
    mirror, other = make_clones(tmp_path, 2, said=False)
    git(mirror.folder, "checkout", "--quiet", "--detach")
    git(mirror.folder, "config", "--add", "remote.origin.fetch", "+refs/*:refs/*")
    other.checkpoint(BOB, goal="Of Bob")
    travel(other.workspace())
    return [mirror, other]


def propose(workspace: Workspace) -> None:
    proposal(workspace, ShareRequest())


@pytest.mark.parametrize("share", [travel, propose])
def test_it_is_not_shared_until_its_fetch_leaves_our_refs_out(
    clones: list[Clone], share: Callable[[Workspace], object]
) -> None:
    mirror, _ = clones
    with pytest.raises(InvalidInput, match="`git fetch origin` writes over") as raised:
        share(mirror.workspace())
    [command] = re.findall("`(git .*)`", raised.value.hint or "")
    subprocess.run(command, shell=True, check=True, cwd=mirror.folder)
    share(mirror.workspace())
    assert mirror.goals() == ({"Of Bob"} if share is travel else set())


def test_what_a_fetch_wrote_over_is_named_and_restored(clones: list[Clone]) -> None:
    mirror, _ = clones
    mirror.checkpoint(ADA, goal="Of Ada")
    mirror.workspace().store.replay()
    git(mirror.folder, "fetch", "--quiet")
    assert mirror.goals() == {"Of Bob"}
    losses = ref_losses(mirror.workspace().repository)
    assert [loss.ref for loss in losses] == ["refs/ocm/sessions"]
    assert len(restore_refs(mirror.workspace(), losses)) == 1
    assert mirror.goals() == {"Of Ada", "Of Bob"}
