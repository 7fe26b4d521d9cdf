"""What `ocm doctor` looks at among small files: locks left behind, files of our own.

A lock of the operating system vanishes with its holder. Those of git are files, and
stay; below `refs/ocm/` nobody but us and git's own fetches makes any.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.actions.sharing.record import last_sync
from gitmem.model.finding import FIX, Code, Finding, Grade
from gitmem.store.git.layout import own_dir
from gitmem.store.local.installed import manifest_path
from gitmem.workspace import Workspace

STALE = 10.0
"""Seconds; a ref is locked for milliseconds, and the store itself waits for two."""
_LONG = 3600.0
"""Seconds in which any program has written its `packed-refs`."""
_OTHERS = 0o077
"""Rights of everybody but the owner."""
_PRIVATE = (
    *("journal/*.jsonl", "journal/*.mark", "journal/past/*.json"),
    *("log", "*.json", "sessions/*.md"),
)


def locks(workspace: Workspace) -> Iterator[Finding]:
    for path in dead_locks(workspace):
        yield Finding(
            code=Code.LOCK,
            grade=Grade.PROBLEM,
            about=path.name,
            what=f"{path.name} was left behind by a process that is gone",
            where=str(path),
            mend=FIX,
            is_mendable=True,
        )
    path = workspace.repository.common_dir / "packed-refs.lock"
    if _age(workspace, path) > _LONG:
        yield Finding(
            code=Code.LOCK,
            grade=Grade.WARNING,
            about=path.name,
            what=f"{path.name} has been there for more than an hour",
            where=str(path),
            mend="It is git's. If no git is at work here, move it away.",
        )


def dead_locks(workspace: Workspace) -> list[Path]:
    """Lock files of refs of ours that are older than any writer needs."""
    refs = workspace.repository.common_dir / "refs" / "ocm"
    found = (path for path in refs.rglob("*.lock") if path.is_file())
    return sorted(path for path in found if _age(workspace, path) > STALE)


def permissions(workspace: Workspace) -> Iterator[Finding]:
    open_paths = open_to_others(workspace)
    if open_paths:
        names = ", ".join(_shown(workspace, path) for path in open_paths[:3])
        more = f" and {len(open_paths) - 3} more" if len(open_paths) > 3 else ""
        yield Finding(
            code=Code.PERMISSIONS,
            grade=Grade.WARNING,
            what=f"other users may read or write {names}{more}",
            where=str(own_dir(workspace.repository.common_dir)),
            mend=FIX,
            is_mendable=True,
        )


def open_to_others(workspace: Workspace) -> list[Path]:
    """Folders and files of ours that have rights for others than their owner."""
    ours = own_dir(workspace.repository.common_dir)
    files = (path for pattern in _PRIVATE for path in ours.glob(pattern))
    paths = [ours, ours / "journal", ours / "sessions", *sorted(files)]
    return [path for path in paths if _is_open(path)]


def own_files(workspace: Workspace) -> Iterator[Finding]:
    for path in damaged_files(workspace):
        yield Finding(
            code=Code.OWN_FILE,
            grade=Grade.NOTE,
            about=path.name,
            what=f"{path.name} cannot be read, and is as if it were not there",
            where=str(path),
            mend=FIX,
            is_mendable=True,
        )
    path = manifest_path(workspace.repository.common_dir)
    if path.is_file() and not isinstance(_json(path).get("files"), list):
        yield Finding(
            code=Code.OWN_FILE,
            grade=Grade.WARNING,
            about=path.name,
            what="what `ocm init` changed is not known any more, so `ocm uninstall`"
            " cannot bring files back byte for byte",
            where=str(path),
            mend="Bring it back from a backup; nobody can guess it. Without one, move"
            " it away, and `ocm init` begins another one.",
        )


def damaged_files(workspace: Workspace) -> list[Path]:
    """Files that say nothing, and that come back by themselves."""
    ours = own_dir(workspace.repository.common_dir)
    marks = ours.glob("journal/*.mark")
    damaged = [path for path in marks if not isinstance(_json(path).get("offset"), int)]
    if (path := ours / "sync.json").is_file() and last_sync(workspace) is None:
        damaged.append(path)
    if (path := ours / "taken.json").is_file() and not _json(path):
        damaged.append(path)
    return sorted(damaged)


def _json(path: Path) -> dict[str, object]:
    """Nothing of what is no object, or cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(path.read_bytes())
        return found if isinstance(found, dict) else {}
    return {}


def _age(workspace: Workspace, path: Path) -> float:
    """In seconds; none of what is not there."""
    try:
        return workspace.now().timestamp() - path.lstat().st_mtime
    except OSError:
        return 0.0


def _is_open(path: Path) -> bool:
    try:
        return not path.is_symlink() and bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def _shown(workspace: Workspace, path: Path) -> str:
    return path.relative_to(workspace.repository.common_dir).as_posix()
