"""Backups of our refs, in this clone alone.

`refs/ocm/backup/<kind>/<date>` is the first state of a day before a merge.
"""

from contextlib import suppress
from datetime import datetime
from typing import Any

from gitmem.documents.kind import Kind
from gitmem.documents.kinds import KINDS
from gitmem.errors import Busy
from gitmem.git.layout import OUR_REFS
from gitmem.git.repository import Repository
from gitmem.git.values import Oid

BACKUP = f"{OUR_REFS}backup/"
_MOST_DAYS = 7
"""That are kept of each ref: days on which it took something in."""


def back_up(git: Repository, ref: str, commit: Oid, when: datetime) -> None:
    """Keep the state of a ref, unless there is one of that day; the oldest ones go."""
    name = f"{folder(ref)}{when:%Y-%m-%d}"
    if git.resolve_ref(name) is None:
        git.update_ref(name, None, commit, "backup")
        with suppress(Busy):  # on another day
            for old in backups_of(git, ref)[_MOST_DAYS:]:
                git.delete_ref(old)


def backups_of(git: Repository, ref: str) -> list[str]:
    """Return the names of the backups of a ref, the newest first."""
    return sorted(git.refs(folder(ref)), reverse=True)


def folder(ref: str) -> str:
    """Return the prefix of its backups, such as `refs/ocm/backup/sessions/`."""
    return f"{BACKUP}{ref.removeprefix(OUR_REFS)}/"


def refs_of(git: Repository, kind: Kind[Any]) -> list[str]:
    """Return the refs of a kind: its backups, then its own."""
    return [*backups_of(git, kind.ref), kind.ref]


def kind_of(ref: str) -> Kind[Any]:
    """Return the kind whose documents a ref of ours has, or a backup of it."""
    return next(
        kind
        for kind in KINDS.values()
        if ref == kind.ref or ref.startswith(folder(kind.ref))
    )
