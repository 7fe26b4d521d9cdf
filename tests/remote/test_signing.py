"""Where the user asks for signatures, only signed tips are taken and sent."""

import shutil
import subprocess
from pathlib import Path

import pytest
from remote.clones import Clone, forget, make_clones
from support.clones import documents, travel
from support.harness import git

from gitmem.errors import InvalidInput, Unverified

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None, reason="git signs with ssh-keygen"
)
CLIENT, OTHER = (f"{number}a1b2c3d-4e5f-4000-8000-000000000000" for number in (0, 1))


def sign(clone: Clone, key: Path, trusted: Path) -> None:
    for name, value in (
        ("gpg.format", "ssh"),
        ("user.signingKey", str(key)),
        ("gpg.ssh.allowedSignersFile", str(trusted)),
        ("ocm.requireSigned", "true"),
    ):
        git(clone.folder, "config", name, value)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key"
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(command, check=True)
    public = path.with_suffix(".pub").read_text("ascii")
    (tmp_path / "trusted").write_text(f"* {public}", "ascii")
    return path


@pytest.fixture
def clones(tmp_path: Path, key: Path) -> list[Clone]:
    """The last one has no key."""
    clones = make_clones(tmp_path / "clones", 3, said=False)
    for clone in clones[:2]:
        sign(clone, key, tmp_path / "trusted")
    return clones


@pytest.mark.endurance
def test_those_who_sign_share_a_memory(clones: list[Clone]) -> None:
    here, there, _ = clones
    here.checkpoint(CLIENT, goal="Of Ada")
    there.checkpoint(OTHER, goal="Of Bob")
    for clone in (here, there, here, there):
        travel(clone.workspace())
    tip = here.memory().commit
    assert tip == there.memory().commit
    git(here.folder, "verify-commit", str(tip))
    [session] = there.sessions_of(OTHER)
    forget(there.workspace(), [session], from_history=True)
    travel(there.workspace())
    travel(here.workspace())
    report = travel(here.workspace())
    assert report.sent == report.withdrawn == ()
    assert documents(here.memory()) == documents(there.memory())
    assert here.sessions_of(OTHER) == []


@pytest.mark.endurance
def test_what_has_no_signature_is_not_taken(clones: list[Clone]) -> None:
    here, there, mallory = clones
    here.checkpoint(CLIENT, goal="Of Ada")
    travel(here.workspace())
    travel(mallory.workspace())
    mallory.checkpoint(OTHER, goal="Of Mallory")
    travel(mallory.workspace())
    with pytest.raises(Unverified, match="no good signature"):
        travel(here.workspace())
    here.workspace().current_sessions()
    assert here.sessions_of(OTHER) == []
    with pytest.raises(Unverified):
        travel(there.workspace())
    assert there.memory().commit is None


@pytest.mark.endurance
def test_what_waits_without_a_signature_is_named_and_stays(clones: list[Clone]) -> None:
    here, there, mallory = clones
    here.checkpoint(CLIENT, goal="Of Ada")
    for clone in clones:
        travel(clone.workspace())
    names = []
    for clone in (there, mallory):
        clone.checkpoint(OTHER, goal="Of another")
        clone.workspace().store.replay()
        commit = str(clone.memory().commit)
        if clone is there:
            how = ("commit-tree", "-S", "-m", "signed", "-p", commit)
            commit = git(clone.folder, *how, f"{commit}^{{tree}}")
        names.append(f"refs/ocm/inbox/sessions/{commit}")
        git(clone.folder, "push", "--quiet", "origin", f"{commit}:{names[-1]}")
    report = travel(here.workspace())
    assert [each.path for each in report.not_taken] == names[1:]
    assert here.sessions_of(OTHER) == there.sessions_of(OTHER)
    git(here.folder, "verify-commit", str(here.memory().commit))
    assert git(here.folder, "ls-remote", "origin", "refs/ocm/inbox/*").endswith(
        names[1]
    )


@pytest.mark.endurance
def test_what_is_held_back_is_not_signed_again_and_again(clones: list[Clone]) -> None:
    here, there, _ = clones
    here.checkpoint(CLIENT, goal="Of Ada")
    travel(here.workspace())
    travel(there.workspace())
    there.minutes = 5
    forget(there.workspace(), there.sessions_of(CLIENT), from_history=False)
    travel(there.workspace())
    here.checkpoint(OTHER, goal="Of Ada, too")
    travel(here.workspace())
    tip = here.memory().commit
    report = travel(here.workspace())
    assert len(report.held_back) == 1
    assert (here.memory().commit, report.sent) == (tip, ())


def test_who_cannot_sign_is_told(clones: list[Clone], key: Path) -> None:
    here = clones[0]
    here.checkpoint(CLIENT, goal="Of Ada")
    key.unlink()
    with pytest.raises(InvalidInput, match="cannot sign"):
        travel(here.workspace())
