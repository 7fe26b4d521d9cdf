"""How old a session has become: which of its files are not as it left them.

Only git is asked, and only for what is at these paths in a few commits; what was never
committed is not known to it.
"""

from collections.abc import Mapping
from functools import cached_property
from itertools import islice

from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Dated, Oid

MOST_FILES = 100
"""Above this many files nobody is told how many of them changed."""

_OWN = 20
"""Commits of a session that are looked for, from the last one back."""
_BACK = 2000
"""Commits of HEAD's history that are walked over, at the very most."""
_LATER = 50
"""Commits behind a session in which its work is looked for."""

_Blobs = Mapping[str, Oid]


@frozen
class Staleness:
    changed: int
    files: int
    """Of how many files of the session that can be told."""


class Present:
    """A repository as it is now, to hold sessions against."""

    def __init__(self, git: Repository) -> None:
        self._git = git

    def staleness(self, session: Session) -> Staleness | None:
        """How many files of `session` are not in HEAD as it left them.

        What it left is what its newest own commit has, or HEAD at its end, or else the
        commit of HEAD's history that was the newest at that time. Work that was not
        committed then is taken to be as the first later commit has it that touches the
        file: whether somebody went on with it in between cannot be told. Nor can it
        be where that commit is no longer among the first parents of HEAD, or far
        behind the session; such work counts as changed.

        None without files that are in either commit, with more files than MOST_FILES,
        and where the commits are not here.
        """
        if not 0 < len(session.files) <= MOST_FILES:
            return None
        try:
            return self._staleness(session)
        except GitmemError:  # a damaged object says nothing
            return None

    def _staleness(self, session: Session) -> Staleness | None:
        base = self._base(session)
        if base is None or self._head is None:
            return None
        paths = [file.path for file in session.files]
        then, now = self._git.blobs(base, paths), self._git.blobs(self._head, paths)
        known = {*then, *now}
        changed = {path for path in known if then.get(path) != now.get(path)}
        changed -= self._only_committed(session, base, then, now, changed)
        return Staleness(len(changed), len(known)) if known else None

    def _base(self, session: Session) -> Oid | None:
        names = [commit.sha for commit in session.commits[-_OWN:]]
        if own := [*filter(None, map(self._commit, names))]:
            return max(own, key=lambda commit: commit.when).oid
        if session.git_sha_end and (end := self._commit(session.git_sha_end)):
            return end.oid
        past = (each for each in self._past if each.when <= session.updated_at)
        return next((each.oid for each in past), None)

    def _commit(self, name: str) -> Dated | None:
        full = self._git.full_name(name)
        return self._git.first_parents(full, 1)[0] if full else None

    def _only_committed(
        self,
        session: Session,
        base: Oid,
        then: _Blobs,
        now: _Blobs,
        changed: set[str],
    ) -> set[str]:
        """Those of `changed` whose work was committed later, and not touched since."""
        waiting = changed and changed - self._committed(session, then)
        if not waiting:
            return set()
        found: set[str] = set()
        for commit in islice(reversed(self._later(base)), _LATER):
            if not waiting:
                break
            at = self._git.blobs(commit.oid, waiting)
            arrived = {path for path in waiting if at.get(path) != then.get(path)}
            found |= {path for path in arrived if at.get(path) == now.get(path)}
            waiting -= arrived
        return found

    def _committed(self, session: Session, then: _Blobs) -> set[str]:
        """The files with work of the session in the commit that has `then`."""
        paths = [file.path for file in session.files]
        name = session.git_sha_start
        start = self._commit(name) if name else None
        if start is None:
            return set(paths) if session.commits else set()
        before = self._git.blobs(start.oid, paths)
        return {path for path in paths if before.get(path) != then.get(path)}

    def _later(self, base: Oid) -> list[Dated]:
        """The commits from HEAD back to `base`; none where that is not among them."""
        for number, commit in enumerate(self._past):
            if commit.oid == base:
                return self._past[:number]
        return []

    @cached_property
    def _head(self) -> Oid | None:
        return self._git.head().commit

    @cached_property
    def _past(self) -> list[Dated]:
        return self._git.first_parents(self._head, _BACK) if self._head else []
