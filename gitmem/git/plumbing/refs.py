"""Refs through git: compare-and-swap, and reflogs, of files and of reftable."""

from pathlib import Path

from gitmem.git import ref_files
from gitmem.git.command import RefusedError
from gitmem.git.plumbing.process import Process
from gitmem.git.ref_files import RefLockedError, once_unlocked
from gitmem.git.values import Head, Oid

_MOST_MOVES = 2000
"""Of a reflog in a reftable, where each is looked for from its beginning."""
_LOST_RACE = ("but expected", "reference already exists")
_LOCKED = "cannot lock references"
"""What git says of all refs of a reftable."""


def head(git: Process) -> Head:
    """See Repository.head."""
    try:
        target = git.output("symbolic-ref", "--quiet", "HEAD").decode(
            "utf-8", "replace"
        )
    except RefusedError as error:
        if error.status != 1:
            raise
        return Head(None, git.output("rev-parse", "--verify", "HEAD").decode().strip())
    ref = target.rstrip("\n")
    return Head(ref.removeprefix("refs/heads/"), resolved(git, ref))


def resolved(git: Process, name: str) -> Oid | None:
    """See Repository.resolve_ref. Raises ValueError for a ref that is none."""
    form = "--format=%(refname) %(objectname)"
    for line in git.output("for-each-ref", form, name).decode().splitlines():
        ref, _, oid = line.rpartition(" ")
        if ref == name:
            return oid
    if (git.common_dir / name).is_file():  # git passes over it, with a warning
        raise ValueError("what is in its file is no ref")
    return None


def listed(git: Process, prefix: str) -> list[str]:
    """See Repository.refs."""
    names = git.output("for-each-ref", "--format=%(refname)").decode(
        errors="surrogateescape"
    )
    return [name for name in names.splitlines() if name.startswith(prefix)]


def move_ref(git: Process, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
    """See Repository.update_ref. Raises Busy when the ref stays locked."""

    def attempt() -> bool:
        return _swap(git, name, old, new, reason)

    return once_unlocked(name, _lock(git, name), attempt)


def reflog(git: Process, name: str) -> list[Oid]:
    """See Repository.reflog."""
    if not is_reftable(git):
        return ref_files.reflog(git.common_dir, name)
    found = [oid for oid in reversed(_moves_in_table(git, name)) if oid.strip("0")]
    return list(dict.fromkeys(found))


def forget_moves(git: Process, name: str) -> None:
    """See Repository.forget_moves."""
    if not is_reftable(git):
        ref_files.forget_moves(git.common_dir, name)
        return
    try:
        git.write("reflog", "expire", "--expire=all", name)
    except RefusedError as error:
        if "points nowhere" not in str(error):  # so it says where there is no reflog
            raise


def is_reftable(git: Process) -> bool:
    """Whether refs and reflogs are in no files of their own."""
    return (git.common_dir / "reftable").is_dir()


def _swap(git: Process, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
    zero = "0" * len(new)
    command = ("update-ref", "--create-reflog", "-m", reason, name, new, old or zero)
    try:
        git.write(*command)
    except RefusedError as error:
        said = str(error)
        is_gone = said.endswith(f"unable to resolve reference '{name}'")
        if is_gone or any(words in said for words in _LOST_RACE):
            return False
        if f"{name}.lock': File exists" in said or said.endswith(_LOCKED):
            raise RefLockedError(said) from error
        raise
    return True


def _moves_in_table(git: Process, name: str) -> list[Oid]:
    """The newest first, and after the first where the ref was before, if anywhere.

    `git log --walk-reflogs` ends at a commit that is not here any more.
    """
    names = [f"{name}@{{{number}}}" for number in range(_MOST_MOVES)]
    try:
        output = git.output("rev-parse", "--revs-only", *names)
    except RefusedError as error:  # there are fewer
        output = error.output
    return output.decode().split()


def _lock(git: Process, name: str) -> Path:
    if is_reftable(git):
        return git.common_dir / "reftable" / "tables.list.lock"
    return git.common_dir / f"{name}.lock"
