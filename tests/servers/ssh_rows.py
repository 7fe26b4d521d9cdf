"""Rows of OpenSSH: keys, shells, disks, hooks and settings of the repository."""

import shlex
import sys

from servers import ways as way
from servers.changes import (
    branch_in_the_way,
    hook,
    hub_config,
    left_lock,
)
from servers.elsewhere import at
from servers.openssh import openssh
from servers.row import Row

_SHARED = {"ControlMaster": "auto", "ControlPath": "{folder}/c", "ControlPersist": "5"}
_FULL = """exec unshare --map-root-user --mount sh -c '
mount -t tmpfs -o size=300k tmpfs "$HOME/disk"
cp -r "$HOME/hub.git/." "$HOME/disk"
mount --bind "$HOME/disk" "$HOME/hub.git"
dd if=/dev/zero of="$HOME/disk/rest" 2>/dev/null
exec sh -c "$SSH_ORIGINAL_COMMAND"'"""
_FRAMED = """echo ===========
echo
echo "GitLab: You are not allowed to push code to this project."
echo
echo ===========
exit 1"""
_READERS = """case $SSH_ORIGINAL_COMMAND in git-upload-pack*)
exec sh -c "$SSH_ORIGINAL_COMMAND"
esac
echo "ERROR: The key you are authenticating with has been marked as read only." >&2
exit 1"""
BRANCHES = """case $1 in refs/heads/*) exit 0; esac
echo "Branches alone are taken here, not $1."
exit 1"""
_SLOW = f"""sh -c "$SSH_ORIGINAL_COMMAND" | {shlex.quote(sys.executable)} -uc '
import os, sys, time
while piece := os.read(0, 60):
    sys.stdout.buffer.write(piece)
    time.sleep(1)'"""

SSH = (
    Row(did="lets you in", serve=openssh(), says="Sent 1 session.", works=True),
    Row(
        did="runs git-shell, and no other shell",
        serve=openssh('exec git-shell -c "$SSH_ORIGINAL_COMMAND"'),
        says="Sent 1 session.",
        works=True,
    ),
    Row(
        did="is reached by one connection for several commands (ControlMaster)",
        serve=openssh(client=_SHARED),
        says="Fetched 1 session of Ada, sent 1 session.",
        has_news=True,
        works=True,
    ),
    Row(
        did="is not known to ssh yet",
        serve=openssh(known=None),
        says="ssh does not know the host of origin: Host key verification failed.",
        way_out="Connect to it by hand once, and check the key that it shows.",
    ),
    Row(
        did="shows another key than before",
        serve=openssh(known="stranger"),
        says="The host of origin shows another key than before: Offending ED25519"
        " key in /srv/known:1",
        way_out="Ask whoever runs it; then `ssh-keygen -R HOST` forgets the old one.",
    ),
    Row(
        did="does not know your key",
        serve=openssh(key="{folder}/stranger"),
        says="No access to origin: ada@HOST: Permission denied"
        " (publickey,password,keyboard-interactive).",
        way_out="`ssh-add` unlocks a key with a passphrase; `ssh -v` shows which are"
        " tried.",
    ),
    Row(
        did="does not run",
        serve=at("ssh://ada@127.0.0.1:{port}/hub.git"),
        says="origin does not answer: ssh: connect to host HOST: Connection refused",
        way_out=way.CHECK_THE_NETWORK,
    ),
    Row(
        did="has a name that nobody knows",
        serve=at("ssh://ada@hub.invalid/hub.git"),
        says="origin does not answer: ssh: Could not resolve hostname"
        " hub.invalid: Name or service not known",
        way_out=way.CHECK_THE_NETWORK,
    ),
    Row(
        did="lets you in, then says nothing",
        serve=openssh("exec sleep 40"),
        says="origin took longer than 5 seconds.",
        command=("sync", "--timeout", "5"),
        way_out="What is saved here is safe, and goes next time. If it stays so, ask"
        " whoever runs it.",
    ),
    Row(
        did="sends 60 bytes a second, for longer than 30 s",
        serve=openssh(_SLOW),
        says="Fetched 1 session of Ada.",
        has_news=True,
        works=True,
        command=("pull",),
    ),
    Row(
        did="has no git",
        serve=openssh('PATH=/nowhere /bin/sh -c "$SSH_ORIGINAL_COMMAND"'),
        says="Git failed with origin: /bin/sh: 1: git-receive-pack: not found",
        way_out=way.TRY_GIT,
    ),
    Row(
        did="ends at once, without a word",
        serve=openssh("exit 1"),
        says="Git failed with origin: fatal: Could not read from remote repository.",
        way_out=way.TRY_GIT,
    ),
    Row(
        did="has no such repository",
        serve=openssh(path="/nothing.git"),
        says="origin is not found: fatal: '/srv/nothing.git' does not appear to"
        " be a git repository",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="lets you read with this key, not write",
        serve=openssh(_READERS),
        says="No access to origin: ERROR: The key you are authenticating with has"
        " been marked as read only. Not sent: 1 session; what is new there"
        " was taken.",
        way_out=way.ASK_FOR_ACCESS,
        has_news=True,
    ),
    Row(
        did="has a full disk",
        serve=openssh(f"mkdir $HOME/disk; {_FULL}"),
        says="There is no room left at origin: remote: fatal: unable to write"
        " loose object file: No space left on device. Not sent: 1 session.",
        way_out="Whoever runs it has to make room.",
    ),
    Row(
        did="refuses by a pre-receive hook, with a frame",
        serve=openssh(),
        says="origin refused refs/ocm/sessions: GitLab: You are not allowed to"
        " push code to this project. Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", _FRAMED),),
    ),
    Row(
        did="refuses by a pre-receive hook, without a word",
        serve=openssh(),
        says="origin refused refs/ocm/sessions: [remote rejected] (pre-receive"
        " hook declined). Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", "exit 1"),),
    ),
    Row(
        did="has a hook that takes longer than 30 s",
        serve=openssh(),
        says="Sent 1 session.",
        changes=(hook("pre-receive", "sleep 35"),),
        works=True,
    ),
    Row(
        did="takes pushes of 100 bytes (receive.maxInputSize)",
        serve=openssh(),
        says="What was sent is too large for origin: remote: fatal: pack exceeds"
        " maximum allowed size. Not sent: 1 session.",
        way_out=way.ALLOW_MORE,
        changes=(hub_config("receive.maxInputSize", "100"),),
    ),
    Row(
        did="takes no other history (receive.denyNonFastForwards)",
        serve=openssh(),
        says="Fetched 1 session of Ada, sent 1 session.",
        changes=(hub_config("receive.denyNonFastForwards", "true"),),
        has_news=True,
        works=True,
    ),
    Row(
        did="deletes nothing (receive.denyDeletes)",
        serve=openssh(),
        says="Fetched 1 session of Ada, sent 1 session.",
        changes=(hub_config("receive.denyDeletes", "true"),),
        has_news=True,
        works=True,
    ),
    Row(
        did="hides our refs from pushes (receive.hideRefs)",
        serve=openssh(),
        says="origin takes no refs of this kind: [remote rejected] (deny updating"
        " a hidden ref). Not sent: 1 session; what is new there was taken.",
        way_out="`git config ocm.remoteRef refs/heads/ocm/sessions` uses a branch"
        " there.",
        changes=(hub_config("receive.hideRefs", "refs/ocm"),),
        has_news=True,
    ),
    Row(
        did="hides our refs from fetches (uploadpack.hideRefs)",
        serve=openssh(),
        says="origin rejected the update 5 times, and a fetch shows no change.",
        way_out=way.SHOW_THE_REF,
        changes=(hub_config("uploadpack.hideRefs", "refs/ocm"),),
        has_news=True,
    ),
    Row(
        did="has a branch `ocm` where `ocm/sessions` is to be",
        serve=openssh(),
        says="origin refused refs/heads/ocm/sessions: error: cannot lock ref"
        " 'refs/heads/ocm/sessions': 'refs/heads/ocm' exists; cannot create"
        " 'refs/heads/ocm/sessions'. Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(branch_in_the_way,),
    ),
    Row(
        did="has the lock of a process that died",
        serve=openssh(),
        says="origin rejected the update 5 times, and a fetch shows no change.",
        way_out=way.SHOW_THE_REF,
        changes=(left_lock,),
        has_news=True,
    ),
    Row(
        did="does not say who can read",
        serve=openssh(),
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
