"""What is known of the place that memory would go to, before any of it does.

Who can write somewhere often does not know who can read there: a fork is as public as
what it was made from, and a repository may have been opened since.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from gitmem.git.command import RefusedError, output_of_git
from gitmem.store.remote.anonymous_access import answers_anybody
from gitmem.store.remote.remote import Remote
from gitmem.store.remote.watched_git import without_secrets
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_OPEN_HOSTS = {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}
"""Whose repositories have the same path over ssh and over https."""
_UPSTREAM = "upstream"
"""What people call the remote that theirs is a fork of."""
_BASE = "base"
"""What `gh` says of the remote that pull requests go to."""
_URL = pattern(
    r"(?P<scheme>https?|ssh|git\+ssh|git)://(?:[^/@]*@)?(?P<host>[^/:@]+)(?P<port>:\d+)?"
    r"/+(?P<path>.+)",
    re.IGNORECASE,
)
_AS_SCP = pattern(r"(?:[^/@:]+@)?(?P<host>[^/:@]+):(?!//)(?P<path>.+)")


@dataclass(frozen=True, slots=True)
class Place:
    url: str
    """Where memory goes, without user and password."""
    comes_from: str | None
    """Where memory comes from, if that is another place; without them, too."""
    is_public: bool | None
    """Whether anybody can read it; None where that is not known."""
    fork_of: str | None
    """The remote of this repository that it seems to be a fork of."""


@dataclass(frozen=True, slots=True)
class _Address:
    scheme: str
    host: str
    port: str
    path: str

    @property
    def is_for_anybody(self) -> bool:
        """Whether a stranger could ask there."""
        return self.scheme in ("http", "https", "git")

    @property
    def owner_and_name(self) -> tuple[str, str]:
        owner, _, name = self.path.rpartition("/")
        return owner.lower(), name.lower()


def place_of(workspace: Workspace, remote: Remote) -> Place:
    """What can be known of it; asks its host as somebody without an account."""
    url = _push_url(workspace, remote.location)
    source = _url(workspace, remote.location)
    address = _address(url)
    is_public = None
    if address and (asked := _anonymous_urls(address)):
        variables = workspace.environment.variables
        hides = address.host in _OPEN_HOSTS
        is_public = answers_anybody(asked, variables, hides=hides)
    fork_of = _fork_of(workspace, remote, address) if address else None
    comes_from = None if _are_same(url, source) else without_secrets(source)
    return Place(without_secrets(url), comes_from, is_public, fork_of)


def shown_url(workspace: Workspace, remote: Remote) -> str:
    """Where memory goes, without user and password."""
    return without_secrets(_push_url(workspace, remote.location))


def _push_url(workspace: Workspace, location: str) -> str:
    """Where git pushes to, which need not be where it fetches from."""
    if location in workspace.repository.remotes():
        asked = ["remote", "get-url", "--push", "--", location]
        if url := _said_by_git(workspace, asked):
            return url
    return _url(workspace, location)


def _url(workspace: Workspace, location: str) -> str:
    """Where git fetches from, `insteadOf` being applied."""
    url = _said_by_git(workspace, ["ls-remote", "--get-url", "--", location])
    return url or workspace.repository.remotes().get(location, location)


def _said_by_git(workspace: Workspace, asked: list[str]) -> str | None:
    git, variables = workspace.repository, workspace.environment.variables
    try:
        with output_of_git(git.git_dir, git.work_tree, asked, variables) as output:
            return output.read().decode("utf-8", "replace").strip()
    except RefusedError:
        return None


def _are_same(one: str, other: str) -> bool:
    """Whether two URLs lead to one place, by whatever protocol."""
    here, there = _address(one), _address(other)
    if here and there:
        return (here.host, here.path) == (there.host, there.path)
    return one == other


def _address(url: str) -> _Address | None:
    """None for a folder, and for what is no URL that hosts have."""
    if found := _URL.fullmatch(url):
        scheme, port = found["scheme"].lower(), found["port"] or ""
    elif found := _AS_SCP.fullmatch(url):
        scheme, port = "ssh", ""
    else:
        return None
    path = found["path"].rstrip("/").removesuffix(".git")
    return _Address(scheme, found["host"].lower(), port, path)


def _anonymous_urls(address: _Address) -> list[str]:
    """Where a stranger would ask for it; none where no stranger could."""
    if address.is_for_anybody:
        url = f"{address.scheme}://{address.host}{address.port}/{address.path}"
    elif address.host in _OPEN_HOSTS:
        url = f"https://{address.host}/{address.path}"
    else:
        return []
    return [f"{url}.git", url]


def _fork_of(workspace: Workspace, remote: Remote, address: _Address) -> str | None:
    git = workspace.repository
    addresses = {
        name: found
        for name in git.remotes()
        if (found := _address(_url(workspace, name)))
    }
    twins = [
        name
        for name, other in addresses.items()
        if name != remote.location and _are_twins(address, other)
    ]
    said = _said_by_gh(workspace, addresses)
    if said.get(remote.location) == _BASE or remote.location == _UPSTREAM:
        return None
    base = [name for name in twins if said.get(name) == _BASE]
    return next(iter([*base, *filter(_UPSTREAM.__eq__, twins), *twins]), None)


def _are_twins(one: _Address, other: _Address) -> bool:
    """Whether they are repositories of one name on one host, of different owners."""
    (owner, name), (other_owner, other_name) = one.owner_and_name, other.owner_and_name
    return one.host == other.host and name == other_name and owner != other_owner


def _said_by_gh(workspace: Workspace, names: Iterable[str]) -> dict[str, str | None]:
    config = workspace.repository.config
    return {name: config(f"remote.{name}.gh-resolved") for name in names}
