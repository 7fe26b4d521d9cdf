"""Readable copies of documents, for assistants that are given a path.

Git has the truth; a copy is written whenever its path is handed out. In a work tree it
lies in `.openCodeMemory/sessions/`, which `info/exclude` keeps out of `git status`.
"""

import contextlib
from pathlib import Path

from gitmem.store.files import replace_file

FOLDER = ".openCodeMemory"
_EXCLUDE_LINE = f"/{FOLDER}/"


def write_copy(folders: list[Path], session_id: str, document: str) -> Path | None:
    """Write the copy in the first folder that takes it; None when none does.

    A folder that is reached through a symbolic link is not taken: a repository could
    have brought it along to make us write elsewhere.
    """
    for folder in folders:
        with contextlib.suppress(OSError):
            return _write(folder, f"{session_id}.md", document)
    return None


def exclude_copies(common_dir: Path) -> bool:
    """Keep the copies of all work trees out of `git status`, as gitignore(5) says.

    False when that is so already, or cannot be.
    """
    path = common_dir / "info" / "exclude"
    try:
        before = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
        if _EXCLUDE_LINE in before.splitlines():
            return False
        path.parent.mkdir(exist_ok=True)
        gap = "" if before.endswith("\n") or not before else "\n"
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{gap}{_EXCLUDE_LINE}\n")
    except OSError:
        return False
    return True


def _write(folder: Path, name: str, document: str) -> Path:
    _make_real_folder(folder)
    path, content = folder / name, document.encode()
    if path.is_symlink() or not path.exists() or path.read_bytes() != content:
        replace_file(path, content)
    return path


def _make_real_folder(folder: Path) -> None:
    for part in (folder.parent, folder):
        if part.is_symlink():
            raise NotADirectoryError(part)
        part.mkdir(mode=0o700, parents=True, exist_ok=True)
