"""Rows of git daemon, folders, and of git here."""

from servers import ways as way
from servers.changes import (
    bundle,
    config,
    file,
    hook,
    pushes_elsewhere,
    without_ssh,
)
from servers.elsewhere import HUB, at, http_backend
from servers.git_daemon import EXPORTS, git_daemon
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
        did="asks a hook, which refuses (--access-hook)",
        serve=git_daemon(
            *EXPORTS, "--informative-errors", "--access-hook={folder}/asked"
        ),
        says="origin refused: fatal: remote error: Closed until noon: /hub.git",
        way_out="Ask whoever runs it.",
        changes=(file("asked", "echo Closed until noon; exit 1"),),
        is_rare=True,
    ),
    Row(
        did="lets everybody read",
        serve=git_daemon(*EXPORTS),
        says="who reads it anybody: it is public",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)

FOLDER = (
    Row(did="takes it", serve=HUB, says="Sent 1 session.", works=True),
    Row(
        did="is a bundle",
        serve=at("{folder}/a.bundle"),
        says="origin is a bundle, which takes no push. Not sent: 1 session.",
        way_out="`ocm pull` takes what is in it.",
        changes=(bundle,),
        is_quick=True,
        is_rare=True,
    ),
    Row(
        did="is a bundle, and is pulled from",
        serve=at("{folder}/a.bundle"),
        says="Took 1 session of Ada.",
        changes=(bundle,),
        command=("pull",),
        has_news=True,
        works=True,
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
        says="origin has refs/ocm/sessions, and shows it to nobody who fetches.",
        way_out=way.SHOW_THE_REF,
        changes=(pushes_elsewhere,),
        has_news=True,
        is_quick=True,
        is_rare=True,
    ),
    Row(
        did="is reached by ssh, which is not installed",
        serve=at("ssh://hub.invalid/hub.git"),
        says="A program that reaches origin does not run: ssh -o BatchMode=yes:"
        " 1: ssh: not found",
        way_out=way.INSTALL_SSH,
        changes=(without_ssh,),
    ),
    Row(
        did="does not say who can read",
        serve=HUB,
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
