"""New objects, kept a while where no `git gc --prune=now` finds them.

Git cannot tell an object that a writer is about to name from one that nobody names:
what prunes everything at once removes both. So there is a second link to each new
object of ours in `ocm/kept` of the common dir, below the path that it has in `objects`,
for an hour; whoever finds one gone puts it back.
"""

from collections.abc import Collection
from pathlib import Path

from gitmem.store.git.objects import GitObject


def keep(common_dir: Path, new: Collection[GitObject]) -> None:
    """Keep objects that were just written, loose or as a pack. Raises OSError."""


def put_back(common_dir: Path) -> int:
    """Put back what is gone; gives how many. By whoever holds the store's lock."""
    return 0
