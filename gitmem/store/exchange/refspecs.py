"""Our refspecs in git's configuration: by them a plain `git fetch` brings memory."""

from collections.abc import Iterator, Mapping

from gitmem.store.exchange.remote import TRACKING, Remote
from gitmem.store.git.config import add_config, remove_config
from gitmem.store.git.repository import Repository


def fetched_from(git: Repository, name: str) -> list[str]:
    """The refspecs by which `git fetch NAME` fetches, ours and the user's."""
    return git.config_values(_key(name))


def add_refspecs(git: Repository, remote: Remote, variables: Mapping[str, str]) -> None:
    """Have `git fetch` bring our refs from one of git's remotes. Raises as add_config.

    `variables` are the user's environment.
    """
    for refspec in _ours(remote):
        add_config(git, _key(remote.name), refspec, variables)


def remove_refspecs(git: Repository, name: str, variables: Mapping[str, str]) -> None:
    """Have `git fetch` bring no refs of ours any more. Raises as remove_config.

    Git keeps a refspec with a remote that it gives another name, so this looks at all.
    """
    for each in {name, *git.remotes()}:
        for refspec in fetched_from(git, each):
            if refspec.rpartition(":")[2].startswith(TRACKING):
                remove_config(git, _key(each), refspec, variables)


def _ours(remote: Remote) -> Iterator[str]:
    """Patterns: a source that is not there yet would be an error for `git fetch`."""
    for ref, there in remote.refs.items():
        yield f"+{there}*:{remote.tracking(ref)}*"


def _key(name: str) -> str:
    return f"remote.{name}.fetch"
