"""What was committed in a work tree, as the reflog of its HEAD says.

Git adds a line to `logs/HEAD` whenever HEAD moves: `OLD NEW NAME <EMAIL> TIME ZONE`, a
tab, and what was done. It tells a commit from a pull, a rebase or a switch of branches,
which no history does.
"""

import re
from pathlib import Path

from gitmem.store.files import end_of
from gitmem.store.git.repository import Oid

_TAIL = 200_000
"""Bytes of the reflog that are read: more than a thousand moves."""
_COMMIT = re.compile(
    rb"(?P<old>[0-9a-f]{40}) (?P<new>[0-9a-f]{40}) [^\t\n]*"
    rb"\t(?:commit|cherry-pick|revert)\b(?P<amended> \(amend\))?"
)


def committed_since(git_dir: Path, oid: Oid) -> list[Oid]:
    """The commit `oid` and those made after it in the work tree, the oldest first.

    Those that were amended since are left out. `oid` alone where the reflog does not
    have it.
    """
    moves = _commits(_last_lines(git_dir) or [])
    made = [move["new"].decode() for move in moves]
    if oid not in made:
        return [oid]
    amended = {move["old"].decode() for move in moves if move["amended"]}
    last = len(made) - 1 - made[::-1].index(oid)
    return [each for each in dict.fromkeys(made[last:]) if each not in amended]


def committed_here(git_dir: Path) -> set[Oid] | None:
    """The commits that were made in the work tree and not brought into it.

    Those of its last thousand moves. None where git keeps no reflog.
    """
    lines = _last_lines(git_dir)
    if lines is None:
        return None
    return {move["new"].decode() for move in _commits(lines)}


def _commits(lines: list[bytes]) -> list[re.Match[bytes]]:
    return [found for line in lines if (found := _COMMIT.match(line))]


def _last_lines(git_dir: Path) -> list[bytes] | None:
    try:
        return end_of(git_dir / "logs" / "HEAD", _TAIL).splitlines()
    except OSError:  # a user may do without
        return None
