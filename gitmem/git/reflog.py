"""What was committed in a work tree, as the reflog of its HEAD says.

Git notes whenever HEAD moves, and why. That tells a commit from a pull, a rebase or a
switch of branches, which no history does.
"""

import re
from pathlib import Path

from gitmem.git.files import end_of
from gitmem.git.repository import Repository
from gitmem.git.values import Move, Oid
from gitmem.text.patterns import pattern

_BYTES = 400
"""Of a line of a reflog; where lines are longer, fewer of them are read."""
_MOVE = re.compile(
    rb"(?P<old>[0-9a-f]{40,64}) (?P<new>[0-9a-f]{40,64}) [^\t\n]*\t(?P<reason>.*)"
)
_COMMIT = pattern(r"(?:commit|cherry-pick|revert)\b(?P<amended> \(amend\))?")


def committed_since(git: Repository, oid: Oid) -> list[Oid]:
    """The commit `oid` and those made after it in the work tree, the oldest first.

    Those that were amended since are left out. `oid` alone where the reflog does not
    have it.
    """
    moves = _commits(git.moves("HEAD") or [])
    made = [move.new for move in moves]
    if oid not in made:
        return [oid]
    amended = {move.old for move in moves if _is_amendment(move)}
    last = len(made) - 1 - made[::-1].index(oid)
    return [each for each in dict.fromkeys(made[last:]) if each not in amended]


def committed_here(git: Repository) -> set[Oid] | None:
    """The commits that were made in the work tree and not brought into it.

    Those of its last thousand moves. None where git keeps no reflog.
    """
    moves = git.moves("HEAD")
    return None if moves is None else {move.new for move in _commits(moves)}


def moves_in_file(log: Path, most: int) -> list[Move] | None:
    """The last that stand in a reflog, a line for each move; None without that file.

    `OLD NEW NAME <EMAIL> TIME ZONE`, a tab, and the reason.
    """
    try:
        lines = end_of(log, most * _BYTES).splitlines()[-most:]
    except OSError:  # a user may do without
        return None
    found = filter(None, map(_MOVE.fullmatch, lines))
    return [_move(*each.group("old", "new", "reason")) for each in found]


def _move(old: bytes, new: bytes, reason: bytes) -> Move:
    return Move(old.decode(), new.decode(), reason.decode("utf-8", "replace"))


def _commits(moves: list[Move]) -> list[Move]:
    return [move for move in moves if _COMMIT.match(move.reason)]


def _is_amendment(move: Move) -> bool:
    found = _COMMIT.match(move.reason)
    return bool(found and found["amended"])
