"""Refs through git: compare-and-swap, and reflogs, of files and of reftable.

Only the reflog of HEAD distinguishes a commit from a pull, a rebase or a checkout.
"""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from gitmem.errors import Busy
from gitmem.git.command import RefusedError
from gitmem.git.files import end_of
from gitmem.git.plumbing.process import GitProcess, fields, text
from gitmem.git.values import Head, Oid, ReflogEntry
from gitmem.text.patterns import pattern
from gitmem.waiting import Wait

MOST_MOVES = 1000
"""Most moves of a ref that are returned."""
_ALL_MOVES = 1_000_000
_LOST_RACE = ("but expected", "reference already exists")
_NO_REFLOG = ("reflog could not be found", "points nowhere")
_LOCKED = "cannot lock references"
"""Git's message where refs are a reftable, which has one lock for all of them."""
_BYTES = 400
"""Bytes of an average line of a reflog; of longer lines, fewer are read."""
_MOVE = re.compile(
    rb"(?P<old>[0-9a-f]{40,64}) (?P<new>[0-9a-f]{40,64}) [^\t\n]*\t?(?P<reason>.*)"
)
_STALE_LOCK_AGE = 10.0
"""Seconds. A ref update holds its lock for milliseconds, on a disk that stalls for some
seconds; to break the lock of a living git loses a line of the reflog."""
_PATIENCE = 2 * _STALE_LOCK_AGE

T = TypeVar("T")


class RefLockedError(Exception):
    """Somebody else is writing this ref, or died as they did."""


class Refs(GitProcess):
    moved: dict[str, Oid] | None = None
    """Targets of refs in a rehearsal; None outside of one."""

    def head(self) -> Head:
        with self.translated("HEAD"):
            try:
                target = self.output("symbolic-ref", "--quiet", "HEAD")
            except RefusedError as error:
                if error.status != 1:
                    raise
                output = self.output("rev-parse", "--verify", "HEAD")
                return Head(None, output.decode().strip())
            ref = text(target).rstrip("\n")
            return Head(ref.removeprefix("refs/heads/"), self._resolved(ref))

    def resolve_ref(self, name: str) -> Oid | None:
        """Return the commit a ref points to; None when there is no such ref."""
        if self.moved and name in self.moved:
            return self.moved[name]
        with self.translated(name):
            return self._resolved(name)

    def refs(self, prefix: str) -> list[str]:
        """Return the names of all refs that begin with `prefix`."""
        with self.translated(prefix):
            output = self.output("for-each-ref", "--format=%(refname)")
            names = output.decode(errors="surrogateescape").splitlines()
            return [name for name in names if name.startswith(prefix)]

    def update_ref(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        """Move a ref from `old` to `new`, as `git update-ref NAME NEW OLD`.

        False, and nothing happened, when it does not point to `old` any more; `old`
        None means that it must not exist yet. The move is written to the reflog. Raises
        Busy when the ref stays locked.
        """
        with self.translated(name):
            return once_unlocked(
                name,
                self._lock(name),
                lambda: self._is_swapped(name, old, new, reason),
            )

    def delete_ref(self, name: str) -> None:
        """Delete a ref and its reflog, as `git update-ref -d NAME`."""
        with self.translated(name):
            once_unlocked(
                name, self._lock(name), lambda: self._write_ref(name, "-d", name)
            )

    def reflog(self, name: str) -> list[Oid]:
        """Return the commits where a ref was, by its reflog; they may be pruned."""
        moves = self.moves(name, _ALL_MOVES) or []
        oids = (oid for move in moves for oid in (move.old, move.new))
        return [oid for oid in dict.fromkeys(oids) if oid.strip("0")]

    def moves(self, name: str, most: int = MOST_MOVES) -> list[ReflogEntry] | None:
        """Return the last moves of a ref, by its reflog, the oldest first.

        HEAD is that of this work tree. None where git keeps none.
        """
        with self.translated(f"the reflog of {name}"):
            if self._is_reftable:
                return self._moves_in_table(name, most)
            folder = self.git_dir if name == "HEAD" else self.common_dir
            return moves_in_file(folder / "logs" / name, most)

    def forget_moves(self, name: str) -> None:
        """Leave nothing in the reflog of a ref, or that it is where it is alone."""
        with self.translated(name):
            try:
                self.write("reflog", "expire", "--expire=all", name)
            except RefusedError as error:
                if not any(words in str(error) for words in _NO_REFLOG):
                    raise

    @property
    def _is_reftable(self) -> bool:
        """Whether refs and reflogs are in no files of their own."""
        return (self.common_dir / "reftable").is_dir()

    def _resolved(self, name: str) -> Oid | None:
        """Raises ValueError for a ref that is none."""
        form = "--format=%(refname) %(objectname)"
        for line in self.output("for-each-ref", form, name).decode().splitlines():
            ref, _, oid = line.rpartition(" ")
            if ref == name:
                return oid
        if (self.common_dir / name).is_file():  # git passes over it, with a warning
            raise ValueError("what is in its file is no ref")
        return None

    def _is_swapped(self, name: str, old: Oid | None, new: Oid, reason: str) -> bool:
        zero = "0" * len(new)
        options = ("--create-reflog", "-m", reason)
        try:
            self._write_ref(name, *options, name, new, old or zero)
        except RefusedError as error:
            message = str(error)
            is_gone = message.endswith(f"unable to resolve reference '{name}'")
            if is_gone or any(words in message for words in _LOST_RACE):
                return False
            raise
        return True

    def _write_ref(self, name: str, *arguments: str) -> None:
        """Run `git update-ref`. Raises RefLockedError where the ref is locked."""
        try:
            self.write("update-ref", *arguments)
        except RefusedError as error:
            message = str(error)
            if f"{name}.lock': File exists" in message or message.endswith(_LOCKED):
                raise RefLockedError(message) from error
            raise

    def _lock(self, name: str) -> Path:
        if self._is_reftable:
            return self.common_dir / "reftable" / "tables.list.lock"
        return self.common_dir / f"{name}.lock"

    def _moves_in_table(self, name: str, most: int) -> list[ReflogEntry] | None:
        """Read moves from a reftable; git lists the newest first.

        Where HEAD has no reflog git would list that of the branch, with what was
        brought.
        """
        which = (f"-n{most}", "--no-show-signature", "--format=%H %gs", "-z")
        entries: list[bytes] = []
        with suppress(RefusedError):  # there is none, or no commit yet
            self.output("reflog", "exists", name)
            entries = fields(self.output("log", "--walk-reflogs", *which, name, "--"))
        moves: list[ReflogEntry] = []
        for new, _, reason in (
            text(entry).partition(" ") for entry in reversed(entries)
        ):
            old = moves[-1].new if moves else "0" * len(new)
            moves.append(ReflogEntry(old, new, reason))
        return moves or None


def once_unlocked(name: str, lock: Path, attempt: Callable[[], T]) -> T:
    """Repeat `attempt` until it raises no RefLockedError.

    A lock that a killed writer left is broken, as it would block git itself for ever.
    Its time may be one to come, where a clock was set back: then it is the time that we
    have waited for it that counts. Raises Busy when the ref stays locked.
    """
    deadline, made_at, since = time.monotonic() + _PATIENCE, 0.0, 0.0
    wait = Wait(lambda: f"another program that keeps {name} locked")
    while True:
        try:
            return attempt()
        except RefLockedError as error:
            if (now := time.monotonic()) > deadline:
                raise Busy(
                    f"Another program keeps {name} locked.",
                    hint="If none is at work, remove the file that ends in `.lock`.",
                ) from error
            with suppress(FileNotFoundError):
                if (changed_at := lock.stat().st_mtime) != made_at:
                    made_at, since = changed_at, now
                if max(time.time() - made_at, now - since) > _STALE_LOCK_AGE:
                    lock.unlink()
            wait.goes_on()
            time.sleep(0.01)


def moves_in_file(log: Path, most: int) -> list[ReflogEntry] | None:
    """Read the last moves in a reflog, a line each; None without that file.

    `OLD NEW NAME <EMAIL> TIME ZONE`, a tab, and the reason.
    """
    try:
        lines = end_of(log, most * _BYTES).splitlines()[-most:]
    except OSError:  # a user may do without
        return None
    matches = filter(None, map(_MOVE.fullmatch, lines))
    return [
        ReflogEntry(*map(text, match.group("old", "new", "reason")))
        for match in matches
    ]


_COMMIT = pattern(r"(?:commit|cherry-pick|revert)\b")
_AMENDED = pattern(_COMMIT.pattern + r" \(amend\)")


def committed_since(git: Refs, oid: Oid) -> list[Oid]:
    """Return the commit `oid` and those made after it in the work tree, oldest first.

    Those that were amended since are left out. `oid` alone where the reflog does not
    have it.
    """
    moves = _commits(git.moves("HEAD") or [])
    tips = [move.new for move in moves]
    if oid not in tips:
        return [oid]
    amended = {move.old for move in moves if _AMENDED.match(move.reason)}
    last = len(tips) - 1 - tips[::-1].index(oid)
    return [tip for tip in dict.fromkeys(tips[last:]) if tip not in amended]


def committed_here(git: Refs) -> set[Oid] | None:
    """Return the commits that were made in the work tree and not brought into it.

    Those of its last thousand moves. None where git keeps no reflog.
    """
    moves = git.moves("HEAD")
    return None if moves is None else {move.new for move in _commits(moves)}


def _commits(moves: list[ReflogEntry]) -> list[ReflogEntry]:
    return [move for move in moves if _COMMIT.match(move.reason)]
