"""Backups of our refs: where each was before it took in what came from elsewhere.

`refs/ocm/backup/<kind>/<date>` is the first such state of a day. Backups are in this
clone alone: no refspec of ours has them, and nothing sends them.
"""

from datetime import datetime

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
        for old in backups_of(git, ref)[_MOST_DAYS:]:
            git.delete_ref(old)


def backups_of(git: Repository, ref: str) -> list[str]:
    """Names of the backups of a ref, the newest first."""
    return sorted(git.refs(folder(ref)), reverse=True)


def folder(ref: str) -> str:
    """Below it are its backups: `refs/ocm/backup/sessions/` for `refs/ocm/sessions`."""
    return f"{BACKUP}{ref.removeprefix(OUR_REFS)}/"
