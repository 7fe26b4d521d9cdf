"""Moving a ref with libgit2: compare-and-swap, stale locks, and the reflog."""

import time
from pathlib import Path

import pygit2

from gitmem.errors import Busy
from gitmem.store.files import replace_file
from gitmem.store.git.failures import is_refusal
from gitmem.store.git.repository import Oid

_STALE_LOCK_AGE = 2.0  # seconds; a ref update holds its lock for milliseconds
_PATIENCE = 2 * _STALE_LOCK_AGE
_LOST_RACE = ("old reference value does not match", "already exists")
"""What libgit2 says when somebody was faster between our look and our lock."""


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
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            moved = _swap(git, name, *move, reason)
        except (pygit2.GitError, OSError) as error:
            # A foreign NAME.lock and a lost race look alike.
            if f"{name}.lock" not in str(error) or is_refusal(error):
                raise
            if time.monotonic() > deadline:
                raise Busy(
                    f"Another program keeps {name} locked.",
                    hint="If none is at work, remove the file that ends in `.lock`.",
                ) from error
            _break_stale_lock(common_dir / f"{name}.lock")
            time.sleep(0.01)
        else:
            if moved and git.is_bare:
                _log_move(git, log, move, reason)
            return moved


def moves(common_dir: Path, name: str) -> list[Oid]:
    """Where a ref was, by its reflog; see Repository.reflog."""
    lines = _lines(common_dir / "logs" / name)
    named = [oid for line in lines for oid in line.split(" ", 2)[:2]]
    return [oid for oid in dict.fromkeys(named) if oid.strip("0")]


def forget_moves(common_dir: Path, name: str) -> None:
    """See Repository.forget_moves. The last line stays, as if it were the first."""
    log = common_dir / "logs" / name
    if lines := _lines(log):
        _, new, rest = lines[-1].split(" ", 2)
        line = f"{'0' * len(new)} {new} {rest}\n"
        replace_file(log, line.encode("utf-8", "surrogateescape"), mode=None)


def _keep_reflog(log: Path) -> None:
    """Make the log: git keeps one for such a ref only where there is one."""
    if not log.exists():
        log.parent.mkdir(parents=True, exist_ok=True)
        log.touch()


def _lines(log: Path) -> list[str]:
    """None of a log that is not there."""
    try:
        text = log.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    return [line for line in text.split("\n") if line.count(" ") >= 2]


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
    except pygit2.GitError as error:
        if any(words in str(error) for words in _LOST_RACE):
            return False
        raise
    return True


def _break_stale_lock(lock: Path) -> None:
    """Remove what a killed writer left; it would block git itself for ever."""
    try:
        if time.time() - lock.stat().st_mtime > _STALE_LOCK_AGE:
            lock.unlink()
    except FileNotFoundError:
        return


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
