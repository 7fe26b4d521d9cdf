"""Refs with libgit2: which there are, and moves by compare-and-swap with the reflog."""

import os
import re
from contextlib import suppress
from pathlib import Path

import pygit2

from gitmem.git.failures import is_refusal
from gitmem.git.ref_files import RefLockedError, once_unlocked
from gitmem.git.values import Oid

_LOST_RACE = ("old reference value does not match", "already exists")
"""What libgit2 says when somebody was faster between our look and our lock."""


def refs_below(common_dir: Path, prefix: str) -> list[str]:
    """The names in UTF-8 of all refs that begin so. Raises OSError.

    libgit2 alone opens the refs of the user as well, of which there may be thousands.
    """
    found: set[str] = set()
    for at, _, names in os.walk(common_dir / prefix.rpartition("/")[0]):
        folder = Path(at).relative_to(common_dir).as_posix()
        found.update(f"{folder}/{name}" for name in names)
    with suppress(FileNotFoundError):
        line = rb"(?m) (" + re.escape(os.fsencode(prefix)) + rb".*)$"
        packed = re.findall(line, (common_dir / "packed-refs").read_bytes())
        found.update(map(os.fsdecode, packed))
    begun = (name for name in found if name.startswith(prefix))
    return sorted(filter(_is_name, begun))


def _is_name(name: str) -> bool:
    """Not a lock, nor a name that libgit2 cannot be given."""
    with suppress(UnicodeEncodeError):
        return pygit2.reference_is_valid_name(name)
    return False


def move_ref(
    git: pygit2.Repository,
    common_dir: Path,
    name: str,
    move: tuple[Oid | None, Oid],
    reason: str,
) -> bool:
    """Move a ref from one commit to another; see Repository.update_ref.

    Raises Busy when the ref stays locked, pygit2.GitError and OSError for the rest.
    """
    log = common_dir / "logs" / name
    _keep_reflog(log)

    def attempt() -> bool:
        return _swap(git, name, *move, reason)

    moved = once_unlocked(name, common_dir / f"{name}.lock", attempt)
    if moved and git.is_bare:
        _log_move(git, log, move, reason)
    return moved


def _keep_reflog(log: Path) -> None:
    """Make the log: git keeps one for such a ref only where there is one."""
    if not log.exists():
        log.parent.mkdir(parents=True, exist_ok=True)
        log.touch()


def _swap(
    git: pygit2.Repository, name: str, old: Oid | None, new: Oid, reason: str
) -> bool:
    """Compare-and-swap; the object that was compared is the one that is moved."""
    try:
        if name not in git.references:
            if old is None:
                git.create_reference_direct(name, new, False, reason)
            return old is None
        reference = git.references[name]
        if str(reference.target) != old:
            return False
        reference.set_target(new, reason)
    except (pygit2.GitError, OSError) as error:
        if any(words in str(error) for words in _LOST_RACE):
            return False
        # A foreign NAME.lock and a lost race look alike.
        if f"{name}.lock" in str(error) and not is_refusal(error):
            raise RefLockedError(str(error)) from error
        raise
    return True


def _log_move(
    git: pygit2.Repository, log: Path, move: tuple[Oid | None, Oid], reason: str
) -> None:
    """Write the reflog of a bare repository, which libgit2 does not and git does.

    The format is that of git's own files: old and new commit, who, when, and why.
    """
    old, new = move
    by = git[new].peel(pygit2.Commit).committer
    minutes, sign = abs(by.offset), "-" if by.offset < 0 else "+"
    stamp = f"{by.time} {sign}{minutes // 60:02}{minutes % 60:02}"
    who = f"{by.name} <{by.email}> {stamp}"
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{old or '0' * len(new)} {new} {who}\t{reason}\n")
