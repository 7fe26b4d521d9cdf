"""How a remote is reached: the user's settings and environment, made fit for us.

Git is given a remote of our own making, which has of the user's remote what says how
it is reached and nothing that says what is fetched or pushed: no refspec, no mirror,
no pruning, no tags. So no ref of the user's moves along, and none of ours but those
that we name.
"""

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from gitmem.errors import Unreachable
from gitmem.git.command import PATIENCE
from gitmem.git.opening import OLDEST_GIT
from gitmem.git.repository import Repository
from gitmem.store.remote.watched_git import Command, run, unheard
from gitmem.text.patterns import pattern

OUR_REMOTE = "ocm remote"
"""The name of that remote; git gives none of the user's a name with a space."""

Settings = list[tuple[str, str]]

_HOW_IT_IS_REACHED = (
    *("vcs", "proxy", "proxyauthmethod"),
    *("uploadpack", "receivepack", "serveroption"),
)
_PROMISES = pattern(r"remote\..*\.promisor|extensions\.partialclone", re.DOTALL)
_OF_ANOTHER_PLACE = {
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_OBJECT_DIRECTORY"),
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR"),
    *("GIT_GRAFT_FILE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_PREFIX"),
    "GIT_NAMESPACE",  # our ref is in none
    *("GIT_REPLACE_REF_BASE", "GIT_INTERNAL_SUPER_PREFIX", "GIT_SHALLOW_FILE"),
    *("GIT_QUARANTINE_PATH", "GIT_REF_STORAGE_FORMAT", "GIT_CURL_VERBOSE"),
}
"""As `git rev-parse --local-env-vars`, but for what `git -c` sets: how the user's own
push reached the remote is how ours does."""
_SET = {
    "LC_ALL": "C",  # its messages are told apart
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_REFLOG_ACTION": "ocm",
}
_NOBODY_TO_ASK = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",  # not that of the user, which opens a window
    "GCM_INTERACTIVE": "never",
    "SSH_ASKPASS_REQUIRE": "never",
}
_HEARD = "ocm.heard"
"""A setting that git has from a variable; an old one would not hear of our remote."""
_BATCH_MODE = " -o BatchMode=yes"


@dataclass(frozen=True, slots=True)
class Access:
    settings: Settings
    """What describes our remote, as lines of git's configuration."""
    ssh_command: str | None
    """With which ssh asks nothing; None where that cannot be told."""
    is_partial: bool
    """Whether objects may be missing here, which a remote promised to have."""

    @property
    def push_url(self) -> str:
        """As it is configured."""
        ours = dict(self.settings)
        fetched_from = ours[f"remote.{OUR_REMOTE}.url"]
        return ours.get(f"remote.{OUR_REMOTE}.pushurl", fetched_from)


def access_to(git: Repository, location: str, variables: Mapping[str, str]) -> Access:
    """How to reach a remote by its name in git's configuration, or by its URL.

    Raises Unreachable where git is too old to be told.
    """
    configured = _configured(git, variables)
    ours = _ours(configured, location)
    return Access(
        [(f"remote.{OUR_REMOTE}.{key}", value) for key, value in ours],
        _quiet_ssh(configured, variables),
        any(map(_PROMISES.fullmatch, configured)),
    )


def environment(
    access: Access, variables: Mapping[str, str], *, may_ask: bool
) -> dict[str, str]:
    """Of the user's environment what counts, and how to reach the remote."""
    kept = {name: value for name, value in variables.items() if _counts(name, value)}
    settings = list(access.settings)
    if not may_ask:
        kept |= _NOBODY_TO_ASK
        settings.append(("credential.interactive", "false"))
        if access.ssh_command:
            kept["GIT_SSH_COMMAND"] = access.ssh_command
    return kept | _SET | _as_variables(settings, kept)


def _configured(git: Repository, variables: Mapping[str, str]) -> dict[str, list[str]]:
    """Git's whole configuration; the last of several values counts, where one does."""
    kept = {name: value for name, value in variables.items() if _counts(name, value)}
    command = Command(
        [f"--git-dir={git.git_dir}", "config", "--null", "--list"],
        git.work_tree or git.git_dir,
        kept | _as_variables([(_HEARD, "true")], kept),
        PATIENCE,
        told=unheard,
    )
    said = run(command)
    found = _values(said.output.decode("utf-8", "surrogateescape"))
    if said.status == 0 and _HEARD not in found:
        raise Unreachable(
            "Git is too old to reach a remote for us.",
            hint=f"Sharing memory takes git {OLDEST_GIT} or later.",
        )
    return found


def _values(listed: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in listed.split("\0"):
        key, _, value = line.partition("\n")
        found.setdefault(key, []).append(value)
    return found


def _ours(
    configured: Mapping[str, list[str]], location: str
) -> Iterable[tuple[str, str]]:
    """What our remote has of the user's: one URL to fetch from, and one to push to.

    The first of several, as git fetches: several places that are pushed to would be
    several truths.
    """
    theirs = f"remote.{location}."
    urls = configured.get(f"{theirs}url")
    yield "url", urls[0] if urls else location
    yield "followRemoteHEAD", "never"  # git 2.48 would note where its HEAD is
    if not urls:
        return
    yield from (("pushurl", url) for url in configured.get(f"{theirs}pushurl", [])[:1])
    for key in _HOW_IT_IS_REACHED:
        yield from ((key, value) for value in configured.get(theirs + key, []))


def _quiet_ssh(
    configured: Mapping[str, list[str]], variables: Mapping[str, str]
) -> str | None:
    """The ssh command that git would run, told to ask nothing.

    Only OpenSSH's is told, and not a program at GIT_SSH, which takes no options.
    """
    variant = variables.get("GIT_SSH_VARIANT") or _last(configured, "ssh.variant")
    command = variables.get("GIT_SSH_COMMAND") or _last(configured, "core.sshcommand")
    if not command and variables.get("GIT_SSH"):
        return None
    command = command or "ssh"
    if variant == "ssh" or (variant in (None, "auto") and _is_openssh(command)):
        return command + _BATCH_MODE
    return None


def _last(configured: Mapping[str, list[str]], key: str) -> str | None:
    return configured.get(key, [None])[-1]


def _is_openssh(command: str) -> bool:
    try:
        program = shlex.split(command)[0]
    except (ValueError, IndexError):
        return False
    return PurePath(program).name in ("ssh", "ssh.exe")


def _counts(name: str, value: str) -> bool:
    if re.match(r"GIT_TRACE", name):  # on stderr it would be taken for what git says
        return value.startswith("/")
    return name not in _OF_ANOTHER_PLACE


def _as_variables(settings: Settings, before: Mapping[str, str]) -> dict[str, str]:
    """After those that are in the environment before; unlike arguments, unseen."""
    text = before.get("GIT_CONFIG_COUNT", "")
    count = int(text) if text.isdecimal() else 0
    added = {"GIT_CONFIG_COUNT": str(count + len(settings))}
    for number, (key, value) in enumerate(settings, count):
        added |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return added
