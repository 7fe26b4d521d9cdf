"""Follow commits that programs rewrite without running git's hook.

`git history`, `git replay` and `git filter-branch` leave a reason in the reflog of a
branch, and `git filter-repo` a file of former and present names. Nothing is read while
neither has changed.
"""

import re
from collections import defaultdict
from contextlib import suppress
from itertools import islice
from pathlib import Path

from gitmem.errors import Damaged
from gitmem.git.files import (
    changed_at,
    is_file,
    read_own,
    read_text,
    replace_file,
)
from gitmem.git.layout import own_dir
from gitmem.git.odb.objects import commit_parts
from gitmem.git.repository import Repository
from gitmem.git.values import Oid, RawCommit, ReflogEntry, is_oid
from gitmem.workspace import Workspace

_REASON = re.compile(
    r"(?:reword|fixup|split): updating |replay --|filter-branch: rewrite"
)
_FOLLOWED, _COMMIT_MAP = "rewrites", "commit-map"
"""Files of ours: present tips of rewrites, and what `git filter-repo` wrote."""
_MOST_BYTES = 20_000_000
"""Bytes of the file of `git filter-repo` that are read: 240,000 commits."""
_MOST_LOGS, _MOST_MOVES, _MOST_COMMITS = 1_000, 100, 1_000
"""Reflogs that are looked at, moves of each that are read, and commits of each move."""

Names = dict[Oid, Oid]
"""Present names of commits by their former ones, the newest commit last."""


def follow_rewrites(workspace: Workspace) -> None:
    """Give the commits that sessions list their present names.

    Raises GitmemError and OSError; then it is done by the next process.
    """
    git = workspace.repository
    file = git.common_dir / "filter-repo" / _COMMIT_MAP
    is_filtered = changed_at(file) > changed_at(_own_file(git, _COMMIT_MAP))
    followed = _own_file(git, _FOLLOWED)
    logs = [ref for ref, at in _logs(git).items() if at >= changed_at(followed)]
    if not (is_filtered or logs) or next(workspace.store.memory().ids(), None) is None:
        return  # sessions that are gone may be about to be restored
    if is_filtered:
        _follow_filter_repo(workspace, file)
    tips = read_text(followed).split()
    moves = {move.new: move for ref in logs for move in _rewrites(git, ref)}
    for move in (move for new, move in moves.items() if new not in tips):
        with suppress(Damaged):  # git has pruned the former commits
            _rename(workspace, _pairs(git, move))
    replace_file(followed, "\n".join([*tips, *moves][-_MOST_LOGS:]).encode())


def follow_anew(git: Repository) -> None:
    """Have the next process follow everything once more. Raises OSError."""
    for name in (_FOLLOWED, _COMMIT_MAP):
        _own_file(git, name).unlink(missing_ok=True)


def _follow_filter_repo(workspace: Workspace, file: Path) -> None:
    """Follow its file, which leads from the oldest names to those after each run."""
    own_file = _own_file(workspace.repository, _COMMIT_MAP)
    content = read_own(file)[:_MOST_BYTES]
    names, before = _names(content), _names(read_text(own_file).encode())
    names |= {now: names[old] for old, now in before.items() if old in names}
    _rename(workspace, {old: now for old, now in names.items() if old != now})
    replace_file(own_file, content)


def _rename(workspace: Workspace, names: Names) -> None:
    from gitmem.actions.saving.commits import commits_rewritten  # few commands need it

    if names:
        commits_rewritten(workspace, names)


def _own_file(git: Repository, name: str) -> Path:
    return own_dir(git.common_dir) / name


def _names(content: bytes) -> Names:
    pairs = (line.split() for line in content.decode("ascii", "replace").splitlines())
    return {
        pair[0]: pair[1]
        for pair in pairs
        if len(pair) == 2 and all(map(is_oid, pair)) and pair[1].strip("0")
    }


def _logs(git: Repository) -> dict[str, float]:
    """Return when the reflogs of HEAD and of branches changed, by the names of refs."""
    logs = git.common_dir / "logs"
    branches = islice((logs / "refs/heads").rglob("*"), _MOST_LOGS)
    files = {path.relative_to(logs).as_posix(): path for path in branches}
    files["HEAD"] = git.git_dir / "logs/HEAD"
    return {ref: changed_at(path) for ref, path in files.items() if is_file(path)}


def _rewrites(git: Repository, ref: str) -> list[ReflogEntry]:
    return [m for m in git.moves(ref, _MOST_MOVES) or () if _REASON.match(m.reason)]


def _pairs(git: Repository, move: ReflogEntry) -> Names:
    """Return the names that commits have after a rewrite of a branch.

    A rewrite keeps author and time. Where their number differs, as after a split,
    commits with the same files are the same.
    """
    present, names = _by_author(git, move.new, move.old), Names()
    for key, former in _by_author(git, move.old, move.new).items():
        after = present.get(key, [])
        pairs = [*zip(former, after, strict=False)]
        if len(former) != len(after):
            pairs = [(o, n) for o in former for n in after if _tree(o) == _tree(n)]
        names |= {old.oid: new.oid for old, new in pairs}
    return names


def _by_author(git: Repository, tip: Oid, base: Oid) -> dict[bytes, list[RawCommit]]:
    commits: defaultdict[bytes, list[RawCommit]] = defaultdict(list)
    for commit in islice(git.ancestry(tip, base), _MOST_COMMITS):
        commits[commit_parts(commit.content).header[0]].append(commit)
    return commits


def _tree(commit: RawCommit) -> Oid:
    return commit_parts(commit.content).tree
