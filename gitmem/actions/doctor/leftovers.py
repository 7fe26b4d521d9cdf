"""What `ocm doctor` looks at among files of our own, and locks left behind.

A lock of the operating system vanishes with its holder. Those of git are files, and
stay; below `refs/ocm/` nobody but us and git's own fetches makes any.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.actions.doctor.finding import FIX, Code, Finding, Grade
from gitmem.actions.sharing.last_sync import last_sync
from gitmem.git.files import is_file, read_own
from gitmem.store.install_manifest import manifest_path
from gitmem.store.path_conflicts import IF_MEANT, misplaced, own_folders
from gitmem.workspace import Workspace

STALE = 10.0
"""Seconds; a ref is locked for milliseconds, and the store itself waits for two."""
_LONG = 3600.0
"""Seconds in which any program has written its `packed-refs`."""
_OTHERS = 0o077
"""Rights of everybody but the owner."""
_PRIVATE = ("*.jsonl", "*.mark", "*.json", "*.md", "log")


def places(workspace: Workspace) -> Iterator[Finding]:
    for each in misplaced(workspace.repository.common_dir):
        yield Finding(
            code=Code.PLACE,
            grade=Grade.PROBLEM,
            about=each.name,
            what=f"{each.name} is {each.kind}, where {each.wanted} has to be",
            where=str(each.path),
            mend=IF_MEANT if each.may_be_meant else FIX,
            is_mendable=not each.may_be_meant,
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
            where=str(workspace.own_dir),
            mend=FIX,
            is_mendable=True,
        )


def open_to_others(workspace: Workspace) -> list[Path]:
    """Folders and files of ours that have rights for others than their owner."""
    folders = own_folders(workspace.repository.common_dir)
    files = (path for f in folders for pattern in _PRIVATE for path in f.glob(pattern))
    return [path for path in (*folders, *sorted(files)) if _is_open(path)]


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
    if is_file(path) and not isinstance(_json(path).get("files"), list):
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
    ours = workspace.own_dir
    damaged = [*workspace.store.journal.unreadable_positions()]
    if is_file(path := ours / "sync.json") and last_sync(workspace) is None:
        damaged.append(path)
    others = (ours / name for name in ("taken.json", "unsaid.json"))
    damaged += [path for path in others if is_file(path) and not _json(path)]
    return sorted(damaged)


def _json(path: Path) -> dict[str, object]:
    """Nothing of what is no object, or cannot be read."""
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads(read_own(path))
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
