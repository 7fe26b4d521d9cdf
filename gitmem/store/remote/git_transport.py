"""Talking to a remote, by way of the git command.

So credential helpers, ssh's configuration, proxies and `insteadOf` work as they do for
`git fetch` and `git push`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from gitmem.git.command import options_to
from gitmem.git.repository import Repository
from gitmem.git.values import Oid
from gitmem.store.remote.explain_errors import silent, too_slow, unreachable
from gitmem.store.remote.remote import Line
from gitmem.store.remote.remote_access import OUR_REMOTE, Access, access_to, environment
from gitmem.store.remote.watched_git import SILENCE, Command, Said, run, without_secrets

_NO_HOOKS = ("-c", "core.hooksPath=/dev/null")
"""Those here; those at the remote run. Nor do others when we move our refs."""


@dataclass(frozen=True, slots=True)
class Way:
    """From a repository to a remote."""

    git: Repository
    place: str
    """What the remote is called in messages."""
    access: Access
    line: Line


def way_to(git: Repository, place: str, location: str, line: Line) -> Way:
    """To what git is given as `location`, which messages call `place`."""
    return Way(git, place, access_to(git, location, line.variables), line)


def refs_at(
    git: Repository, location: str, names: list[str], line: Line
) -> Mapping[str, Oid]:
    """Where refs are at a remote, by their names there; as `git ls-remote`."""
    way = way_to(git, without_secrets(location), location, line)
    said = talk(way, ["ls-remote", "--quiet", "--", OUR_REMOTE, *names])
    if said.status != 0:
        raise unreachable(way.place, said.lines)
    lines = (each.partition("\t") for each in said.output.decode().splitlines())
    return {name: oid for oid, _, name in lines if name in names}


def talk(way: Way, arguments: list[str]) -> Said:
    """What comes of a git command in our repository, which calls the remote OUR_REMOTE.

    Raises Unreachable where it takes too long.
    """
    git, line = way.git, way.line
    command = [*options_to(git.git_dir, git.work_tree), *_NO_HOOKS, *arguments]
    variables = environment(way.access, line.variables, may_ask=line.may_ask)
    said = hear(git, command, variables, line)
    return ended(said, way.place, line)


def ended(said: Said, place: str, line: Line) -> Said:
    """The same, if it came to an end. Raises Unreachable where it took too long."""
    if said.status is not None:
        return said
    if said.was_silent:
        raise silent(place, SILENCE)
    raise too_slow(place, line.patience)


def hear(
    git: Repository, arguments: list[str], variables: Mapping[str, str], line: Line
) -> Said:
    """What comes of a git command in any repository, run with these variables.

    It begins in the work tree of ours, which the URL of a remote may be relative to.
    """
    folder = git.work_tree or git.git_dir
    patience = None if line.may_ask else line.patience
    return run(Command(arguments, folder, variables, patience, line.told))
