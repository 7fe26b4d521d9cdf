"""Parts of what the tools and `--json` show, which several verbs share."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.git.values import Commit
from gitmem.text.markdown import line
from gitmem.text.patterns import pattern

if TYPE_CHECKING:
    from gitmem.search.index import Extent

Answer = dict[str, object]
_FOLDERS = pattern(r"(?<![\w/])/(?:[^\s/'\"`]+/)+")


def commit_answer(commit: Commit) -> Answer:
    return {"sha": commit.sha, "subject": line(commit.subject)}


def path_answer(path: Path | None) -> str | None:
    return str(path) if path else None


def without_folders(text: str) -> str:
    """Leave of each absolute path the name: it may lead outside the repository."""
    return _FOLDERS.sub("…/", text)


def passed_over(files: Sequence[str] = (), spaces: Sequence[str] = ()) -> str:
    """Return what is said of unknown files and unreadable spaces; "" for none."""
    groups = {"Not in the repository": files, "Not readable": spaces}
    return " ".join(
        f"{why}: {', '.join(names)}." for why, names in groups.items() if names
    )


def indexed_so_far(extent: "Extent | None") -> str:
    """Return how many sessions an unfinished index has; "" for a complete one."""
    if extent is None:
        return ""
    return f"The index is being built; this is from the newest {extent}."
