"""How old a session has become: which of its files are not as it left them.

Brief and search tell it alike. Git is asked only for what is at these paths in a few
commits, and in the work tree.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath

from gitmem.documents.session.session import Session
from gitmem.errors import GitmemError
from gitmem.frozen import frozen
from gitmem.git.repository import Repository
from gitmem.git.values import Change, Dated, FileChange, Oid
from gitmem.git.work_tree import differing_paths

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
    changed: frozenset[str]
    """The files that somebody changed since."""
    files: int
    """How many the session has."""


class Present:
    """A repository as it is now, to hold sessions against."""

    def __init__(self, git: Repository) -> None:
        self._git = git

    def staleness(self, session: Session) -> Staleness | None:
        """Return which files of a session somebody changed after it.

        A file changed if HEAD has it neither as the session left it nor as it was
        before (a branch that lacks the work), or if it was written since and differs
        from HEAD. The session left it as its newest own commit has it, else HEAD at its
        end, else the newest commit of that time; uncommitted work, as the first later
        commit has it that touches the file. Where none is near, it counts as changed.

        None without files that git knows, with more files than MOST_FILES, and where
        the commits are not here.
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
        changed = {path for path in {*then, *now} if then.get(path) != now.get(path)}
        changed -= self._lacking(base, now, changed)
        changed -= self._only_committed(session, base, then, now, changed)
        changed |= self._edited(session, self._head)
        is_known = then or now or changed
        return Staleness(frozenset(changed), len(paths)) if is_known else None

    def _lacking(self, base: Oid, now: _Blobs, changed: set[str]) -> set[str]:
        """Those of `changed` that HEAD has as they were where it parted from `base`."""
        common = self._git.merge_base(base, self._head or base) if changed else None
        if common in (None, base):
            return set()
        blobs_at_base = self._git.blobs(common, changed)
        return {path for path in changed if blobs_at_base.get(path) == now.get(path)}

    def _edited(self, session: Session, head: Oid) -> set[str]:
        root = self._git.work_tree
        since = (session.updated_at + timedelta(seconds=1)).timestamp()
        files = session.files if root else ()
        written_paths = [
            file.path for file in files if root and _was_written(root, file, since)
        ]
        return (
            differing_paths(self._git, head, written_paths) if written_paths else set()
        )

    def _base(self, session: Session) -> Oid | None:
        names = [commit.sha for commit in session.commits[-_OWN:]]
        if own_commits := [*filter(None, map(self._commit, names))]:
            return max(own_commits, key=lambda commit: commit.when).oid
        if session.git_sha_end and (end := self._commit(session.git_sha_end)):
            return end.oid
        past = (commit for commit in self._past if commit.when <= session.updated_at)
        return next((commit.oid for commit in past), None)

    def _commit(self, name: str) -> Dated | None:
        full = self._git.full_name(name)
        return self._git.first_parents(full, 1)[0] if full else None

    def _only_committed(
        self, session: Session, base: Oid, then: _Blobs, now: _Blobs, changed: set[str]
    ) -> set[str]:
        """Those of `changed` whose work was committed later, and not touched since."""
        waiting = changed and changed - self._committed(session, then)
        if not waiting:
            return set()
        committed_later: set[str] = set()
        for commit in islice(reversed(self._later(base)), _LATER):
            if not waiting:
                break
            at = self._git.blobs(commit.oid, waiting)
            arrived = {path for path in waiting if at.get(path) != then.get(path)}
            committed_later |= {
                path for path in arrived if at.get(path) == now.get(path)
            }
            waiting -= arrived
        return committed_later

    def _committed(self, session: Session, then: _Blobs) -> set[str]:
        """The files with work of the session in the commit that has `then`."""
        paths = [file.path for file in session.files]
        name = session.git_sha_start
        start = self._commit(name) if name else None
        if start is None:
            return set(paths) if session.commits else set()
        blobs_at_start = self._git.blobs(start.oid, paths)
        return {path for path in paths if blobs_at_start.get(path) != then.get(path)}

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


def _was_written(root: Path, file: FileChange, since: float) -> bool:
    """Tell whether the file was written after a time, or is gone unexpectedly."""
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts:
        return False
    try:
        return (root / path).lstat().st_mtime >= since
    except (OSError, ValueError):
        return file.change is not Change.DELETED
