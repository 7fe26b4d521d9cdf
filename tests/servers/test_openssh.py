"""What users see of a server that OpenSSH guards: access, hooks, disks, time."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from servers.openssh import Scene, make_scene, openssh
from support.auto_push import soon
from support.harness import git, script

pytestmark = pytest.mark.servers

SESSIONS = "refs/ocm/sessions"
UNREACHABLE = 14
NOT_SENT = "Not sent: 1 session; what is new there was taken."
FULL_DISK = """mkdir $HOME/disk
exec unshare --map-root-user --mount sh -c '
mount -t tmpfs -o size=300k tmpfs "$HOME/disk"
cp -r "$HOME/remote.git/." "$HOME/disk"
mount --bind "$HOME/disk" "$HOME/remote.git"
dd if=/dev/zero of="$HOME/disk/rest" 2>/dev/null
exec sh -c "$SSH_ORIGINAL_COMMAND"'"""
FRAMED = """echo ===========
echo
echo "GitLab: You are not allowed to push code to this project."
echo
echo ===========
exit 1"""
BRANCHES = """case $1 in refs/heads/*) exit 0; esac
echo "Branches alone are taken here, not $1."
exit 1"""
READERS = """case $SSH_ORIGINAL_COMMAND in git-upload-pack*)
exec sh -c "$SSH_ORIGINAL_COMMAND"
esac
echo "ERROR: The key you are authenticating with has been marked as read only." >&2
exit 1"""
SLOW = f"""sh -c "$SSH_ORIGINAL_COMMAND" | {shlex.quote(sys.executable)} -uc '
import os, sys, time
while piece := os.read(0, 60):
    sys.stdout.buffer.write(piece)
    time.sleep(1)'"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return make_scene(tmp_path)


def test_git_shell_takes_sessions_and_gives_those_of_others(scene: Scene) -> None:
    with openssh(scene, 'exec git-shell -c "$SSH_ORIGINAL_COMMAND"'):
        ran = scene.ocm("sync")
    assert "Fetched 1 session of Ada, sent 1 session." in ran.stdout


def test_a_server_that_sends_60_bytes_a_second_is_waited_for(scene: Scene) -> None:
    with openssh(scene, SLOW):
        assert "Fetched 1 session of Ada." in scene.ocm("pull").stdout


def test_a_hook_of_35_seconds_is_waited_for(scene: Scene) -> None:
    script(scene.hub / "hooks" / "pre-receive", "sleep 35")
    with openssh(scene):
        assert "sent 1 session." in scene.ocm("sync").stdout


def test_a_server_that_says_nothing_is_left_in_time(scene: Scene) -> None:
    with openssh(scene, "exec sleep 40"):
        ran = scene.ocm("sync", "--timeout", "5")
    assert_says(ran, "origin took longer than", "is safe")


@pytest.mark.parametrize(
    ("server", "message", "hint"),
    [
        pytest.param({"host_key": None}, "ssh does not know", "by hand", id="unknown"),
        pytest.param(
            {"host_key": "stranger"},
            "another key than before",
            "ssh-keygen -R",
            id="key",
        ),
        pytest.param({"key": "stranger"}, "No access", "ssh-add", id="stranger"),
        pytest.param(
            {"path": "/nothing.git"}, "is not found", "URL right", id="nothing"
        ),
        pytest.param(
            {"entry": 'PATH=/nowhere /bin/sh -c "$SSH_ORIGINAL_COMMAND"'},
            *("git-receive-pack: not found", "git ls-remote"),
            id="no git",
        ),
        pytest.param(
            {"entry": READERS}, f"read only. {NOT_SENT}", "for access", id="readers"
        ),
        pytest.param({"entry": FULL_DISK}, "no room left at", "make room", id="full"),
    ],
)
def test_why_a_server_is_not_reached_is_said_with_the_way_out(
    scene: Scene, server: dict[str, str], message: str, hint: str
) -> None:
    with openssh(scene, **server):
        assert_says(scene.ocm("sync"), message, hint)


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        (FRAMED, f"{SESSIONS}: GitLab: You are not allowed to push code to this"),
        ("exit 1", f"{SESSIONS}: [remote rejected] (pre-receive hook declined)"),
    ],
)
def test_words_of_a_hook_that_refuses_are_shown(
    scene: Scene, hook: str, message: str
) -> None:
    script(scene.hub / "hooks" / "pre-receive", hook)
    with openssh(scene):
        assert_says(scene.ocm("sync"), message, "ocm.remoteRef")


@pytest.mark.parametrize(
    ("setting", "message", "hint"),
    [
        ("receive.maxInputSize=100", "too large for origin", "allow more"),
        ("receive.hideRefs=refs/ocm", "takes no refs of this kind", "ocm.remoteRef"),
        ("uploadpack.hideRefs=refs/ocm", "rejected the update 5 times", "hideRefs"),
    ],
)
def test_a_setting_of_the_hub_that_is_in_the_way_is_named(
    scene: Scene, setting: str, message: str, hint: str
) -> None:
    git(scene.hub, "config", *setting.split("="))
    with openssh(scene):
        assert_says(scene.ocm("sync"), message, hint)


def test_the_lock_of_a_process_that_died_at_the_hub_is_named(scene: Scene) -> None:
    with openssh(scene):
        scene.ocm("pull")  # else it looks like a lost race, and what is sent waits
        (scene.hub / f"{SESSIONS}.lock").touch()
        assert_says(scene.ocm("sync"), "rejected the update 5 times", "`.lock`")


def test_what_did_not_ride_along_is_said_with_the_next_push(scene: Scene) -> None:
    script(scene.hub / "hooks" / "update", BRANCHES)
    with openssh(scene):
        scene.ocm("share", "on", "--auto-push", "--yes")
        (scene.clone / ".git" / "ocm" / "sync.json").unlink()
        outputs = [output_of_push(scene, "one")]
        assert soon(lambda: "refused" in scene.ocm("share").stdout)
        outputs.append(output_of_push(scene, "two"))
    reason = f"origin refused {SESSIONS}: Branches alone are taken here"
    assert [reason in output for output in outputs] == [False, True]


def assert_says(ran: subprocess.CompletedProcess[str], message: str, hint: str) -> None:
    lines = ran.stderr.splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    hints = [line for line in lines if line.startswith("hint: ")]
    assert message in errors[0]
    assert hint in hints[0]
    assert ran.returncode == UNREACHABLE


def output_of_push(scene: Scene, branch: str) -> str:
    """Push a branch with git alone; return what git and hooks print."""
    command = ["git", "push", "origin", f"HEAD:refs/heads/{branch}"]
    done = subprocess.run(
        command, cwd=scene.clone, check=True, capture_output=True, text=True
    )
    return done.stderr
