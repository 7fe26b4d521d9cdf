"""What was committed in a work tree, as the reflog of its HEAD says.

Git notes whenever HEAD moves, and why. That tells a commit from a pull, a rebase or a
switch of branches, which no history does.
"""

from gitmem.git.repository import Repository
from gitmem.git.values import Move, Oid
from gitmem.text.patterns import pattern

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


def _commits(moves: list[Move]) -> list[Move]:
    return [move for move in moves if _COMMIT.match(move.reason)]


def _is_amendment(move: Move) -> bool:
    found = _COMMIT.match(move.reason)
    return bool(found and found["amended"])
