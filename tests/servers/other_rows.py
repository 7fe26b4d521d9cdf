"""Rows of git daemon, gitolite, folders, and of git here."""

from servers import ways as way
from servers.changes import (
    bundle,
    config,
    hook,
    own_hook,
    pushes_elsewhere,
)
from servers.elsewhere import HUB, at, http_backend
from servers.git_daemon import EXPORTS, git_daemon
from servers.gitolite import gitolite
from servers.row import Row

BACKEND = (
    Row(
        did="refuses by a pre-receive hook, and has something new",
        serve=http_backend(),
        says="origin refused refs/ocm/sessions: Readers only. Not sent: 1 session; what"
        " is new there was taken.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", "echo Readers only.; exit 1"),),
        has_news=True,
        is_quick=True,
    ),
)

DAEMON = (
    Row(did="takes it", serve=git_daemon(*EXPORTS), says="Sent 1 session.", works=True),
    Row(
        did="takes no pushes (receive-pack is not enabled)",
        serve=git_daemon("--export-all"),
        says="No access to origin: fatal: remote error: access denied or"
        " repository not exported: /hub.git. Not sent: 1 session; what is new"
        " there was taken.",
        way_out=way.ASK_FOR_ACCESS,
        has_news=True,
    ),
    Row(
        did="lets everybody read",
        serve=git_daemon(*EXPORTS),
        says="who reads it anybody: it is public",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)

GITOLITE = (
    Row(
        did="lets you write",
        serve=gitolite("RW+ = ada"),
        says="Sent 1 session.",
        works=True,
    ),
    Row(
        did="lets you read",
        serve=gitolite("R = ada"),
        says="No access to origin: FATAL: W any hub ada DENIED by fallthru. Not"
        " sent: 1 session; what is new there was taken.",
        way_out=way.ASK_FOR_ACCESS,
        has_news=True,
    ),
    Row(
        did="lets you write branches alone",
        serve=gitolite("RW+ refs/heads/ = ada"),
        says="origin refused refs/ocm/sessions: FATAL: W refs/ocm/sessions hub"
        " ada DENIED by fallthru. Not sent: 1 session; what is new there was"
        " taken.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        has_news=True,
    ),
    Row(
        did="takes branches, which `ocm.remoteRef` names",
        serve=gitolite("RW+ refs/heads/ = ada"),
        says="Sent 1 session.",
        changes=(config("ocm.remoteRef", "refs/heads/ocm/sessions"),),
        works=True,
    ),
)

FOLDER = (
    Row(did="takes it", serve=HUB, says="Sent 1 session.", works=True),
    Row(
        did="runs a pre-push hook here that fails (Git LFS is gone)",
        serve=HUB,
        says="Sent 1 session.",
        changes=(own_hook("pre-push", "echo git-lfs: not found >&2; exit 2"),),
        works=True,
    ),
    Row(
        did="is a bundle, and is pulled from",
        serve=at("{folder}/a.bundle"),
        says="Fetched 1 session of Ada.",
        changes=(bundle,),
        command=("pull",),
        has_news=True,
        works=True,
    ),
    Row(
        did="is not there",
        serve=at("{folder}/none.git"),
        says="origin is not found: fatal: '/srv/none.git' does not appear to be a"
        " git repository",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="is pulled from, and pushes are turned off (`no_push`)",
        serve=HUB,
        says="origin is not found: fatal: 'no_push' does not appear to be a git"
        " repository. Not sent: 1 session; what is new there was taken.",
        way_out=way.CHECK_THE_PATH,
        changes=(config("remote.origin.pushurl", "no_push"),),
        has_news=True,
        is_quick=True,
    ),
    Row(
        did="is pushed to, and another one pulled from (pushurl)",
        serve=HUB,
        says="origin rejected the update 5 times, and a fetch shows no change.",
        way_out=way.SHOW_THE_REF,
        changes=(pushes_elsewhere,),
        has_news=True,
        is_quick=True,
    ),
    Row(
        did="does not say who can read",
        serve=HUB,
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
