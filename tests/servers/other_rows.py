"""Rows of git daemon, gitolite, folders, and of git here."""

from servers import ways as way
from servers.changes import (
    borrowed_objects,
    bundle,
    config,
    file,
    hook,
    hub_config,
    other_hash,
    own_hook,
    pushes_elsewhere,
    variable,
    without_ssh,
)
from servers.elsewhere import HUB, at, crowded, http_backend, silent
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
        did="takes no pushes, and says so (--informative-errors)",
        serve=git_daemon("--export-all", "--informative-errors"),
        says="No access to origin: fatal: remote error: service not enabled:"
        " /hub.git. Not sent: 1 session; what is new there was taken.",
        way_out=way.ASK_FOR_ACCESS,
        has_news=True,
    ),
    Row(
        did="does not export the repository",
        serve=git_daemon("--enable=receive-pack"),
        says="No access to origin: fatal: remote error: access denied or"
        " repository not exported: /hub.git",
        way_out=way.ASK_FOR_ACCESS,
    ),
    Row(
        did="does not export it, and says so (--informative-errors)",
        serve=git_daemon("--enable=receive-pack", "--informative-errors"),
        says="No access to origin: fatal: remote error: repository not exported:"
        " /hub.git",
        way_out=way.ASK_FOR_ACCESS,
    ),
    Row(
        did="has no such repository",
        serve=git_daemon(*EXPORTS, path="/none.git"),
        says="No access to origin: fatal: remote error: access denied or"
        " repository not exported: /none.git",
        way_out=way.ASK_FOR_ACCESS,
    ),
    Row(
        did="asks a hook, which refuses (--access-hook)",
        serve=git_daemon(
            *EXPORTS, "--informative-errors", "--access-hook={folder}/asked"
        ),
        says="origin refused: fatal: remote error: Closed until noon: /hub.git",
        way_out="Ask whoever runs it.",
        changes=(file("asked", "echo Closed until noon; exit 1"),),
    ),
    Row(
        did="has too many connections (--max-connections)",
        serve=crowded(git_daemon(*EXPORTS, "--max-connections=1")),
        says="origin does not answer: fatal: read error: Connection reset by peer",
        way_out=way.CHECK_NETWORK_AND_PROXY,
    ),
    Row(
        did="accepts the connection and says nothing",
        serve=silent("git"),
        says="origin accepted the connection and said nothing for 30 seconds.",
        way_out=way.NEXT_TIME,
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
        did="lets you do nothing",
        serve=gitolite("RW+ = boss"),
        says="No access to origin: FATAL: W any hub ada DENIED by fallthru",
        way_out=way.ASK_FOR_ACCESS,
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
    Row(
        did="has no such repository",
        serve=gitolite("RW+ = ada", path="/other"),
        says="No access to origin: FATAL: W any other ada DENIED by fallthru",
        way_out=way.ASK_FOR_ACCESS,
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
        did="is a bundle",
        serve=at("{folder}/a.bundle"),
        says="origin is a bundle, which takes no push. Not sent: 1 session.",
        way_out="`ocm pull` takes what is in it.",
        changes=(bundle,),
        is_quick=True,
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
        did="is no repository",
        serve=at("{folder}"),
        says="origin is not found: fatal: '/srv' does not appear to be a git"
        " repository",
        way_out=way.CHECK_THE_PATH,
    ),
    Row(
        did="belongs to another user (safe.directory)",
        serve=HUB,
        says="origin belongs to another user: fatal: detected dubious ownership"
        " in repository at '/srv/hub.git'",
        way_out=way.TRUST_THE_FOLDER,
        changes=(variable("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"),),
    ),
    Row(
        did="borrowed objects from a repository that is gone",
        serve=HUB,
        says="A place where git looks for objects is not there: error: unable to"
        " normalize alternate object path: /gone/objects",
        way_out="`objects/info/alternates` in the git folder names it; is it a disk?",
        changes=(borrowed_objects,),
        has_news=True,
        command=("pull",),
    ),
    Row(
        did="has objects named by SHA-256",
        serve=HUB,
        says="origin names objects by another hash than this repository: fatal:"
        " the receiving end does not support this repository's hash"
        " algorithm. Not sent: 1 session.",
        way_out="`ocm share on --url` takes another repository, made with the same"
        " `--object-format` as this one.",
        changes=(other_hash,),
    ),
    Row(
        did="has an extension that git here does not know",
        serve=HUB,
        says="Git is too old for the repository at origin: fatal: unknown"
        " repository extension found: strange",
        way_out=way.NEWER_GIT,
        changes=(
            hub_config("core.repositoryFormatVersion", "1"),
            hub_config("extensions.strange", "true"),
        ),
    ),
    Row(
        did="refuses by a pre-receive hook",
        serve=HUB,
        says="origin refused refs/ocm/sessions: Not on a Friday. Not sent: 1 session.",
        way_out=way.ASK_OR_USE_A_BRANCH,
        changes=(hook("pre-receive", "echo Not on a Friday.; exit 1"),),
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
        says="origin has refs/ocm/sessions, and a fetch does not show it.",
        way_out=way.SHOW_THE_REF,
        changes=(pushes_elsewhere,),
        has_news=True,
        is_quick=True,
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
        did="is reached by a program that is not there",
        serve=at("ssh://hub.invalid/hub.git"),
        says="A program that reaches origin does not run: /nowhere/ssh -o"
        " BatchMode=yes: 1: /nowhere/ssh: not found",
        way_out=way.INSTALL_SSH,
        changes=(config("core.sshCommand", "/nowhere/ssh"),),
    ),
    Row(
        did="is reached by a protocol that is not allowed",
        serve=at("https://hub.invalid/hub.git"),
        says="Git does not use the protocol of origin: fatal: transport 'https'"
        " not allowed",
        way_out=way.ALLOW_THE_PROTOCOL,
        changes=(config("protocol.https.allow", "never"),),
    ),
    Row(
        did="has a misspelt protocol",
        serve=at("htps://hub.invalid/hub.git"),
        says="Git does not use the protocol of origin: git: 'remote-htps' is not"
        " a git command. See 'git --help'.",
        way_out=way.ALLOW_THE_PROTOCOL,
    ),
    Row(
        did="does not say who can read",
        serve=HUB,
        says="who reads it not known",
        command=("share", "on", "--dry-run"),
        works=True,
    ),
)
