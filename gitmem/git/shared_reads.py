"""What a Repository is asked alike, however it was opened: settings, names, lines.

Settings are told in one order by both, and what a name or a line comes from is told by
the git command alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

from gitmem.git.blame import blame
from gitmem.git.entries import Entry, remotes_of, values_of
from gitmem.git.repository import Repository
from gitmem.git.revisions import rev_parse
from gitmem.git.values import Blame, Lines, Oid


class Asking(ABC):
    """See Repository for each."""

    def config(self, key: str) -> str | None:
        return next(reversed(self.config_values(key)), None)

    def config_values(self, key: str) -> list[str]:
        return values_of(self._settings(), key)

    def remotes(self) -> dict[str, str]:
        return remotes_of(self._settings())

    def rev_parse(
        self: Repository, name: str, variables: Mapping[str, str]
    ) -> Oid | None:
        return rev_parse(self, name, variables)

    def blame(
        self: Repository,
        path: str,
        lines: Lines | None,
        variables: Mapping[str, str],
    ) -> Blame:
        return blame(self, path, lines, variables)

    @abstractmethod
    def _settings(self) -> Iterable[Entry]:
        """All of git's configuration, in the order in which git reads it."""
