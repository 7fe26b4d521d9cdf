"""Talk to a remote through the git command, in an environment made for it.

Credential helpers, ssh's configuration, proxies and `insteadOf` work as for `git fetch`
and `git push`. But git is given a remote of our own, which has how the user's is
reached, and no refspec, mirror, pruning or tags: only the refs that we name move.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Literal

from gitmem.errors import Unreachable
from gitmem.frozen import frozen
from gitmem.git.command import PATIENCE, options_to
from gitmem.git.opening import OLDEST_GIT
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.explain_errors import too_slow, unreachable
from gitmem.store.remote.remote import TransportOptions
from gitmem.store.remote.watched_git import GitResult, run, without_secrets

OUR_REMOTE = "ocm remote"
"""The name of that remote; git gives none of the user's a name with a space."""

_NO_HOOKS = ("-c", "core.hooksPath=/dev/null")
"""Those here; those at the remote run. Nor do others when we move our refs."""
_HOW_IT_IS_REACHED = (
    *("vcs", "proxy", "proxyauthmethod"),
    *("uploadpack", "receivepack", "serveroption"),
)
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
    "LC_ALL": "C",  # its messages are matched
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_REF_PARANOIA": "0",  # a ref that leads nowhere hinders no fetch
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

_Configured = Mapping[str, list[str]]
_Urls = Mapping[str, str]


@frozen
class RemoteAccess:
    """How git reaches a remote from a repository."""

    git: Repository
    place: str
    """The name of the remote in messages."""
    line: TransportOptions
    push_url: str
    """The configured URL for pushes."""
    environment: Mapping[str, str]


def access_to(
    git: Repository, place: str, location: str, line: TransportOptions
) -> RemoteAccess:
    """Return how to reach `location`, a remote's name or a URL, called `place`.

    Raises Unreachable where git is too old to be given settings.
    """
    variables = {
        name: text for name, text in git.variables.items() if _counts(name, text)
    }
    configured = _configured(git, variables)
    ours = [*_of_our_remote(configured, location)]
    settings = [(f"remote.{OUR_REMOTE}.{key}", value) for key, value in ours]
    if not line.may_ask:
        variables |= _NOBODY_TO_ASK
        settings.append(("credential.interactive", "false"))
        if ssh_command := _quiet_ssh(configured, variables):
            variables["GIT_SSH_COMMAND"] = ssh_command
    return RemoteAccess(
        git,
        place,
        line,
        dict(ours).get("pushurl", dict(ours)["url"]),
        variables | _SET | _as_variables(settings, variables),
    )


def run_git(access: RemoteAccess, arguments: list[str]) -> GitResult:
    """Run a git command, which calls the remote OUR_REMOTE.

    It runs from our work tree, which the URL of a remote may be relative to. Raises
    Unreachable where it takes too long.
    """
    git, line = access.git, access.line
    git_options = options_to(git.git_dir, git.work_tree)
    patience = None if line.may_ask else line.patience
    result = run(
        [*git_options, *_NO_HOOKS, *arguments],
        git.work_tree or git.git_dir,
        access.environment,
        patience,
        line.notify,
    )
    if result.status is None:
        raise too_slow(access.place, line.patience)
    return result


def refs_at(
    git: Repository, location: str, names: list[str], line: TransportOptions
) -> Mapping[str, Oid]:
    """Return the tips of refs at a remote by their names there, as `git ls-remote`."""
    access = access_to(git, without_secrets(location), location, line)
    result = run_git(access, ["ls-remote", "--quiet", "--", OUR_REMOTE, *names])
    if result.status != 0:
        raise unreachable(access.place, result.lines)
    lines = (
        output_line.partition("\t")
        for output_line in result.output.decode().splitlines()
    )
    return {name: oid for oid, _, name in lines if name in names}


def urls(git: Repository, location: str, use: Literal["fetch", "push"]) -> _Urls:
    """Return the URL of each remote for this use, with all of git's rules applied.

    That of `location` is under OUR_REMOTE. A URL may hold a password. Raises
    Unreachable as access_to does.
    """
    access = access_to(
        git, without_secrets(location), location, TransportOptions(PATIENCE)
    )
    listing = run_git(access, ["remote", "--verbose"]).output.decode("utf-8", "replace")
    pairs: list[tuple[str, str]] = re.findall(rf"(?m)^(.+)\t(.*) \({use}\)", listing)
    return {OUR_REMOTE: location, **dict(reversed(pairs))}


def _configured(git: Repository, variables: Mapping[str, str]) -> _Configured:
    """Return git's whole configuration, with all values of a key."""
    result = run(
        [f"--git-dir={git.git_dir}", "config", "--null", "--list"],
        git.work_tree or git.git_dir,
        {**variables, **_as_variables([(_HEARD, "true")], variables)},
        PATIENCE,
    )
    values_by_key: dict[str, list[str]] = {}
    for text in result.output.decode("utf-8", "surrogateescape").split("\0"):
        key, _, value = text.partition("\n")
        values_by_key.setdefault(key, []).append(value)
    if result.status == 0 and _HEARD not in values_by_key:
        raise Unreachable(
            "Git is too old to reach a remote for us.",
            hint=f"Sharing memory takes git {OLDEST_GIT} or later.",
        )
    return values_by_key


def _of_our_remote(configured: _Configured, location: str) -> Iterator[tuple[str, str]]:
    """Yield settings of our remote: how to reach the user's, by its first URL.

    Pushing to several places would make several truths.
    """
    theirs = f"remote.{location}."
    urls = configured.get(f"{theirs}url")
    yield "url", urls[0] if urls else location
    yield "followRemoteHEAD", "never"  # git 2.48 would note where its HEAD is
    if urls:
        yield from (
            ("pushurl", url) for url in configured.get(f"{theirs}pushurl", [])[:1]
        )
        for key in _HOW_IT_IS_REACHED:
            yield from ((key, value) for value in configured.get(theirs + key, []))


def _quiet_ssh(configured: _Configured, variables: Mapping[str, str]) -> str | None:
    """Return the ssh command of git, with the option that asks nothing.

    None for what is not OpenSSH, and where GIT_SSH names a program, without options.
    """
    variant, command = (
        variables.get(name) or configured.get(key, [""])[-1]
        for name, key in (
            ("GIT_SSH_VARIANT", "ssh.variant"),
            ("GIT_SSH_COMMAND", "core.sshcommand"),
        )
    )
    if not command and variables.get("GIT_SSH"):
        return None
    command = command or "ssh"
    is_openssh = variant == "ssh" or (variant in ("", "auto") and _is_openssh(command))
    return f"{command} -o BatchMode=yes" if is_openssh else None


def _is_openssh(command: str) -> bool:
    try:
        program = shlex.split(command)[0]
    except (ValueError, IndexError):
        return False
    return PurePath(program).name in ("ssh", "ssh.exe")


def _counts(name: str, value: str) -> bool:
    if name.startswith("GIT_TRACE"):  # on stderr it would be taken for what git says
        return value.startswith("/")
    return name not in _OF_ANOTHER_PLACE


def _as_variables(
    settings: Sequence[tuple[str, str]], before: Mapping[str, str]
) -> dict[str, str]:
    """Return settings as variables, which no other user sees, after existing ones."""
    text = before.get("GIT_CONFIG_COUNT", "")
    count = int(text) if text.isdecimal() else 0
    added = {"GIT_CONFIG_COUNT": str(count + len(settings))}
    for number, (key, value) in enumerate(settings, count):
        added |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return added
