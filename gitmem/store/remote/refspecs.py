"""Our refspecs in git's configuration: by them a plain `git fetch` brings memory."""

import shlex
from collections.abc import Iterable, Iterator, Mapping

from gitmem.git.config import add_config, remove_config
from gitmem.git.layout import OUR_REFS
from gitmem.git.refspec import sources_of
from gitmem.git.repository import Repository
from gitmem.store.remote.remote import TRACKING, Remote
from gitmem.store.trees.kinds import REFS


def fetched_from(git: Repository, name: str) -> list[str]:
    """The refspecs by which `git fetch NAME` fetches, ours and the user's."""
    return git.config_values(_key(name))


def written_over(git: Repository, name: str) -> list[str]:
    """Refs there that `git fetch NAME` writes straight into ours, as a mirror does."""
    fetched = fetched_from(git, name)
    return [each for ref in REFS for each in sources_of(fetched, ref)]


def to_leave_out(name: str, sources: Iterable[str]) -> str:
    """The command by which `git fetch NAME` leaves them out."""
    patterns = {f"{OUR_REFS}*" if s.startswith(OUR_REFS) else s for s in sources}
    key = shlex.quote(_key(name))
    return " && ".join(
        f"git config --add {key} {shlex.quote(f'^{each}')}" for each in sorted(patterns)
    )


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
    yield from remote.inboxes


def _key(name: str) -> str:
    return f"remote.{name}.fetch"
