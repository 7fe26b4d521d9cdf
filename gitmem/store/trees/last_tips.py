"""The commit that each ref of ours had when we last moved it.

Git drops the reflog of a deleted ref, and `git filter-repo` those of all. A file for
each ref, such as `.git/ocm/tips/ocm.sessions`, outlives both: a ref that does not go on
from it was deleted or rewritten by another program.
"""

from contextlib import suppress
from pathlib import Path

from gitmem.errors import Damaged
from gitmem.git.files import make_folder, read_text, replace_file
from gitmem.git.layout import own_dir
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, is_oid
from gitmem.store.trees.backups import BACKUP

_ABSENT = "absent"
"""Written for a ref that the user knows to be gone."""


def last_tip(git: Repository, ref: str) -> Oid | None:
    """Return the commit; None for a ref that never was, or may be gone."""
    commit = _noted(git, ref)[0]
    return commit if is_oid(commit) else None


def may_be_absent(git: Repository, ref: str) -> bool:
    """Return whether the user knows that the ref is gone."""
    return _noted(git, ref)[0] == _ABSENT


def continues(git: Repository, ref: str, tip: Oid | None) -> bool:
    """Return whether a tip follows the last one, or has the same files."""
    commit, tree = _noted(git, ref)
    if tip is None or tip == commit:
        return tip == commit
    with suppress(Damaged):
        return git.tree_of(tip) == tree or git.merge_base(commit, tip) == commit
    return False


def note_tip(git: Repository, ref: str, commit: Oid | None) -> None:
    """Note where a ref is, or that it may be gone. Raises OSError."""
    file = _file(git, ref)
    make_folder(file.parent)
    replace_file(file, f"{commit or _ABSENT} {git.tree_of(commit)}\n".encode())


def note_move(git: Repository, ref: str, old: Oid | None, new: Oid) -> None:
    """Note a move of ours, unless another program moved the ref before it."""
    if not ref.startswith(BACKUP) and (
        not last_tip(git, ref) or continues(git, ref, old)
    ):
        with suppress(OSError):
            note_tip(git, ref, new)


def _noted(git: Repository, ref: str) -> tuple[str, str]:
    commit, _, tree = read_text(_file(git, ref)).strip().partition(" ")
    return commit, tree


def _file(git: Repository, ref: str) -> Path:
    name = ref.removeprefix("refs/").replace("/", ".")
    return own_dir(git.common_dir) / "tips" / name
